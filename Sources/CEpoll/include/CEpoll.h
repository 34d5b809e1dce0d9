// Brings epoll and eventfd to Swift, whose Glibc module lacks both headers.
#pragma once
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
