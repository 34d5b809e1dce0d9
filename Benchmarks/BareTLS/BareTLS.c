// The smallest program that moves bytes through OpenSSL: blocking sockets, SSL_read, SSL_write.
#include "BareTLS.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>

static SSL_CTX *server, *client;

int bare_tls_start(void) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  if (!key || !certificate) return -1;
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             (const unsigned char *)"localhost", -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  if (!X509_sign(certificate, key, EVP_sha256())) return -1;
  server = SSL_CTX_new(TLS_server_method());
  client = SSL_CTX_new(TLS_client_method());
  if (!server || !client) return -1;
  if (SSL_CTX_use_certificate(server, certificate) != 1) return -1;
  return SSL_CTX_use_PrivateKey(server, key) == 1 ? 0 : -1;
}

static SSL *conversation(SSL_CTX *context, int descriptor) {
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, descriptor);
  if ((context == server ? SSL_accept(ssl) : SSL_connect(ssl)) == 1) return ssl;
  SSL_free(ssl);
  return NULL;
}

static int pour(SSL *ssl, size_t bytes, size_t piece) {
  char *buffer = calloc(1, piece);
  int result = ssl ? 0 : -1;
  while (result == 0 && bytes > 0) {
    int count = SSL_write(ssl, buffer, (int)(bytes < piece ? bytes : piece));
    if (count <= 0) result = -1;
    else bytes -= (size_t)count;
  }
  if (result == 0) SSL_shutdown(ssl);
  SSL_free(ssl);
  free(buffer);
  return result;
}

static size_t swallow(SSL *ssl, size_t piece) {
  char *buffer = malloc(piece);
  size_t total = 0;
  for (int count; ssl && (count = SSL_read(ssl, buffer, (int)piece)) > 0;) total += (size_t)count;
  SSL_free(ssl);
  free(buffer);
  return total;
}

int bare_tls_pour(int descriptor, size_t bytes) {
  return pour(conversation(server, descriptor), bytes, 256 * 1024);
}

size_t bare_tls_swallow(int descriptor) {
  return swallow(conversation(server, descriptor), 256 * 1024);
}

size_t bare_tls_drain(int descriptor, size_t piece) {
  return swallow(conversation(client, descriptor), piece);
}

int bare_tls_push(int descriptor, size_t bytes, size_t piece) {
  return pour(conversation(client, descriptor), bytes, piece);
}
