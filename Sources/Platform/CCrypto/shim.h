// For SHA256_Init and its companions; see tenure_sha256.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Computes the SHA-256 of bytes into 32 bytes; returns 1, or 0 on failure.
//
// EVP_Digest allocates twice for each digest, which costs more than hashing a short input.
static inline int tenure_sha256(const void *bytes, size_t count, unsigned char *digest) {
    SHA256_CTX context;
    int done = SHA256_Init(&context) && SHA256_Update(&context, bytes, count) && SHA256_Final(digest, &context);
    OPENSSL_cleanse(&context, sizeof context);
    return done;
}
