#include "CGetopt.h"

#include <stddef.h>

cgetopt_result cgetopt_next(int first, int count, char **argv, const struct option *flags) {
  if (first) optind = 0;
  opterr = 0;
  optarg = NULL;
  optopt = 0;
  // The leading ':' tells a missing value from an unknown flag.
  int found = getopt_long(count, argv, ":", flags, NULL);
  return (cgetopt_result){found, optarg, optind, optopt < 0 ? (unsigned char)optopt : optopt};
}
