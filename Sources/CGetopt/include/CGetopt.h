// Brings getopt_long to Swift, whose Glibc module lacks <getopt.h>, without its global variables.
#pragma once
#include <getopt.h>

typedef struct {
  int found;          // what getopt_long returned
  const char *value;  // the flag's value, NULL if it has none
  int next;           // index of the next word in argv
  int wrong;          // of a wrong flag its letter's byte; 0 or a flag's number for a long one
} cgetopt_result;

// Starts afresh where first is not zero. Prints nothing itself. Not for two threads at once.
cgetopt_result cgetopt_next(int first, int count, char **argv, const struct option *flags);
