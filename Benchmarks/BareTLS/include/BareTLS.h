// The measure of the streams' TLS: OpenSSL over a blocking socket and nothing in between.
#pragma once
#include <stddef.h>

// A server context with a fresh self-signed certificate, and a client context that checks nothing.
// Both are made once and never freed. 0 for success.
int bare_tls_start(void);

// Handshakes as the server on a connected socket and writes so many bytes. 0 for success.
int bare_tls_pour(int descriptor, size_t bytes);
// Handshakes as the server and reads until the client's end; how many bytes came.
size_t bare_tls_swallow(int descriptor);

// Handshakes as a client and reads, `piece` bytes at a time, until the end; how many bytes came.
size_t bare_tls_drain(int descriptor, size_t piece);
// Handshakes as a client and writes so many bytes, `piece` at a time. 0 for success.
int bare_tls_push(int descriptor, size_t bytes, size_t piece);
