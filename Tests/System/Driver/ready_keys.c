// Answers each request for a new RSA key with the next one of the folder that READY_KEYS names: 0.der, 1.der, and so on,
// and then from the start. If the folder can't be used, a key is generated. Tests load it with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static EVP_PKEY *read_key(const char *folder, long number) {
    char path[4096];
    unsigned char bytes[4096];
    snprintf(path, sizeof path, "%s/%ld.der", folder, number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    ssize_t length = read(file, bytes, sizeof bytes);
    close(file);
    const unsigned char *start = bytes;
    return length > 0 ? d2i_AutoPrivateKey(NULL, &start, length) : NULL;
}

/* Programs of several tests run at the same time, so the file with the next number is locked. */
static EVP_PKEY *next_key(const char *folder) {
    char path[4096], text[32] = {0};
    snprintf(path, sizeof path, "%s/next", folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return NULL;
    EVP_PKEY *key = NULL;
    if (flock(file, LOCK_EX) == 0) {
        long number = pread(file, text, sizeof text - 1, 0) > 0 ? atol(text) : 0;
        key = read_key(folder, number);
        if (!key) key = read_key(folder, number = 0);
        int length = snprintf(text, sizeof text, "%ld\n", number + 1);
        if (pwrite(file, text, length, 0) != length || ftruncate(file, length) != 0) key = NULL;
    }
    close(file);
    return key;
}

int EVP_PKEY_generate(EVP_PKEY_CTX *context, EVP_PKEY **made) {
    const char *folder = getenv("READY_KEYS");
    EVP_PKEY *key = folder && EVP_PKEY_CTX_is_a(context, "RSA") ? next_key(folder) : NULL;
    if (key) {
        *made = key;
        return 1;
    }
    int (*generate)(EVP_PKEY_CTX *, EVP_PKEY **);
    *(void **)&generate = dlsym(RTLD_NEXT, "EVP_PKEY_generate");
    return generate(context, made);
}
