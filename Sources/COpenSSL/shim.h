// Brings OpenSSL to Swift, and as functions those of its macros that Swift cannot see. Each is the
// macro it is named after.
#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline void copenssl_set_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_AUTO_RETRY);
}

static inline void copenssl_set_no_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline int copenssl_set_versions(SSL_CTX *context, int least, int greatest) {
  return SSL_CTX_set_min_proto_version(context, least) &&
         SSL_CTX_set_max_proto_version(context, greatest);
}

static inline void copenssl_set_no_session_cache(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int copenssl_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline void copenssl_free_certificates(STACK_OF(X509) *certificates) {
  sk_X509_pop_free(certificates, X509_free);
}

static inline int copenssl_certificate_count(const STACK_OF(X509) *certificates) {
  return sk_X509_num(certificates);
}

static inline X509 *copenssl_certificate(const STACK_OF(X509) *certificates, int index) {
  return sk_X509_value(certificates, index);
}

static inline int copenssl_name_count(const GENERAL_NAMES *names) {
  return sk_GENERAL_NAME_num(names);
}

static inline GENERAL_NAME *copenssl_name(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}

static inline int copenssl_access_count(const AUTHORITY_INFO_ACCESS *accesses) {
  return sk_ACCESS_DESCRIPTION_num(accesses);
}

// Which kind of place the entry tells of, as a NID: `NID_ad_ca_issuers`, `NID_ad_OCSP`.
static inline int copenssl_access_kind(const AUTHORITY_INFO_ACCESS *accesses, int index) {
  return OBJ_obj2nid(sk_ACCESS_DESCRIPTION_value(accesses, index)->method);
}
