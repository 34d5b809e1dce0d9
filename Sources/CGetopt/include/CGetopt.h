// Brings getopt_long to Swift, whose Glibc module lacks <getopt.h>, without its global variables.
#pragma once
#include <getopt.h>

typedef struct {
  int found;          // what getopt_long returned
  const char *value;  // the flag's value, NULL if it has none
  int next;           // index of the next word in argv
} cgetopt_result;

// Starts afresh where first is not zero. Prints nothing itself. Not for two threads at once.
cgetopt_result cgetopt_next(int first, int count, char **argv, const struct option *flags);
