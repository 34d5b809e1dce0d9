// Linux's calls that Swift's Glibc module lacks: descriptors that no other thread's child process
// inherits, not even for a moment, and network namespaces. Each is the call it is named after.
#pragma once
#include <spawn.h>

int ctest_pipe2_cloexec(int ends[2]);
int ctest_accept4_cloexec(int listener);
int ctest_mkostemp_cloexec(char *path);
int ctest_setns_network(int namespace_descriptor);

// How many bytes this process has allocated and not freed; 0 under a sanitizer, which has an
// allocator of its own.
long ctest_bytes_in_use(void);

// The child has the descriptors below `first` and no others.
int ctest_addclosefrom(posix_spawn_file_actions_t *actions, int first);
