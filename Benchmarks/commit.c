// Commits one row a transaction to an SQLite file (WAL, synchronous=FULL), as fast as the disk says
// yes: what a message at window 1 is measured against.
// commit DIRECTORY SECONDS: commits a second, and how long one takes.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double times[1 << 20];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int rising(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return d < 0 ? -1 : d > 0;
}

static void must(int code, sqlite3 *db) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  fprintf(stderr, "commit: %s\n", sqlite3_errmsg(db));
  exit(1);
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: commit DIRECTORY SECONDS\n");
    return 64;
  }
  char path[4096], text[65];
  snprintf(path, sizeof path, "%s/commit-%d.db", words[1], (int)getpid());
  memset(text, 'x', 64);
  sqlite3 *db;
  must(sqlite3_open(path, &db), db);
  must(sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                        "PRAGMA wal_autocheckpoint=4000; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)",
                    0, 0, 0), db);
  sqlite3_stmt *insert, *begin, *commit;
  must(sqlite3_prepare_v2(db, "INSERT INTO rows (text) VALUES (?)", -1, &insert, 0), db);
  must(sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, 0), db);
  must(sqlite3_prepare_v2(db, "COMMIT", -1, &commit, 0), db);
  must(sqlite3_bind_text(insert, 1, text, 64, SQLITE_STATIC), db);
  double start = now(), end = start + atof(words[2]);
  long made = 0;
  while (made < 1 << 20) {
    double began = now();
    if (began >= end) break;
    must(sqlite3_step(begin), db);
    sqlite3_reset(begin);
    must(sqlite3_step(insert), db);
    sqlite3_reset(insert);
    must(sqlite3_step(commit), db);
    sqlite3_reset(commit);
    times[made++] = now() - began;
  }
  double took = now() - start;
  qsort(times, made, sizeof *times, rising);
  printf("%.0f commits/s, p50 %.3f ms, p99 %.3f ms\n", made / took, times[made / 2] * 1e3,
         times[made * 99 / 100] * 1e3);
  sqlite3_close(db);
  unlink(path);
  return 0;
}
