// Stores messages as fast as a JSON server answers: SENDERS connections send into one room with
// WINDOW requests under way each, READERS others read along.
// flood PORT SENDERS WINDOW READERS SECONDS PID: messages a second, answers' latency, CPU of PID.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW_MAX = 4096, BUFFER = 1 << 18 };

struct peer {
  int fd, is_sender, held;
  long answered, sent;
  double times[WINDOW_MAX];
  char buffer[BUFFER];
};

static long deliveries, errors;
static double latencies[1 << 20];
static long latency_count;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double cpu(int pid) {
  char path[64];
  long user = 0, system = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user,
             &system) != 2)
    user = system = 0;
  fclose(file);
  return (user + system) / (double)sysconf(_SC_CLK_TCK);
}

static int dial(int port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (connect(fd, (void *)&a, sizeof a)) perror("connect"), exit(1);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

static void send_some(struct peer *p, long count) {
  static char out[WINDOW_MAX * 160];
  int size = 0;
  for (long i = 0; i < count; i++, p->sent++) {
    p->times[p->sent % WINDOW_MAX] = now();
    size += sprintf(out + size,
                    "{\"id\":%ld,\"send\":{\"room\":\"flood\",\"text\":\"%064ld\",\"key\":\"%d-%ld\"}}\n",
                    p->sent, p->sent, p->fd, p->sent);
  }
  for (int done = 0; done < size;) {
    int n = write(p->fd, out + done, size - done);
    if (n < 0) perror("write"), exit(1);
    done += n;
  }
}

static void line(struct peer *p, char *text, int size) {
  if (size > 6 && !memcmp(text, "{\"mess", 6)) deliveries++;
  else if (p->is_sender && size > 6 && !memcmp(text, "{\"id\":", 6)) {
    if (memmem(text, size, "\"error\"", 7)) errors++;
    double took = now() - p->times[p->answered % WINDOW_MAX];
    if (latency_count < (1 << 20)) latencies[latency_count++] = took;
    p->answered++;
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(double *)a, y = *(double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  if (argc < 7) return fprintf(stderr, "flood PORT SENDERS WINDOW READERS SECONDS PID\n"), 64;
  int port = atoi(argv[1]), senders = atoi(argv[2]), window = atoi(argv[3]);
  int readers = atoi(argv[4]), pid = atoi(argv[6]);
  double seconds = atof(argv[5]);
  if (window > WINDOW_MAX) return 64;
  int count = senders + readers, epoll = epoll_create1(0);
  struct peer *peers = calloc(count, sizeof *peers);
  for (int i = 0; i < count; i++) {
    struct peer *p = peers + i;
    p->fd = dial(port);
    p->is_sender = i < senders;
    char hello[200];
    int size = sprintf(hello, "{\"login\":{\"name\":\"flood%d-%d\"}}\n{\"join\":{\"room\":\"flood\"}}\n",
                       getpid(), i);
    if (write(p->fd, hello, size) != size) return 1;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = p};
    epoll_ctl(epoll, EPOLL_CTL_ADD, p->fd, &e);
  }
  usleep(300000);
  double start = now(), before = cpu(pid);
  for (int i = 0; i < senders; i++) send_some(peers + i, window);
  while (now() - start < seconds) {
    struct epoll_event events[64];
    int n = epoll_wait(epoll, events, 64, 100);
    for (int i = 0; i < n; i++) {
      struct peer *p = events[i].data.ptr;
      int got = read(p->fd, p->buffer + p->held, BUFFER - p->held);
      if (got <= 0) return fprintf(stderr, "the server closed\n"), 1;
      long answered = p->answered;
      char *from = p->buffer, *end = p->buffer + p->held + got, *lf;
      while ((lf = memchr(from, '\n', end - from))) line(p, from, lf - from), from = lf + 1;
      p->held = end - from;
      memmove(p->buffer, from, p->held);
      if (p->answered > answered) send_some(p, p->answered - answered);
    }
  }
  double took = now() - start, used = cpu(pid) - before;
  long total = 0;
  for (int i = 0; i < senders; i++) total += peers[i].answered;
  qsort(latencies, latency_count, sizeof *latencies, by_size);
  printf("%.0f messages/s, %.0f deliveries/s, p50 %.3f ms, p99 %.3f ms, %.2f us CPU a message, %ld errors\n",
         total / took, deliveries / took, latency_count ? latencies[latency_count / 2] * 1e3 : 0,
         latency_count ? latencies[latency_count * 99 / 100] * 1e3 : 0, used / total * 1e6, errors);
  return 0;
}
