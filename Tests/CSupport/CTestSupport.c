#define _GNU_SOURCE
#include "CTestSupport.h"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int ctest_pipe2_cloexec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int ctest_accept4_cloexec(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int ctest_mkostemp_cloexec(char *path) { return mkostemp(path, O_CLOEXEC); }

int ctest_setns_network(int namespace_descriptor) {
  return setns(namespace_descriptor, CLONE_NEWNET);
}

long ctest_bytes_in_use(void) {
  struct mallinfo2 use = mallinfo2();
  return (long)(use.uordblks + use.hblkhd);
}

int ctest_addclosefrom(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
