// Brings libuv to Swift, and the one call that Swift's Glibc module hides.
#pragma once
#include <sys/socket.h>
#include <uv.h>

#if defined(__linux__)
// accept4(2) is declared only with _GNU_SOURCE, which the importer does not set.
extern int accept4(int listener, struct sockaddr *peer, socklen_t *size, int flags);
#endif
