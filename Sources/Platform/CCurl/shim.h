#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Swift can't call variadic functions, so each of these wraps one for a single argument type. */

static inline CURLcode tenure_curl_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_size(CURL *handle, CURLoption option, curl_off_t value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_bytes(CURL *handle, CURLoption option, const void *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_pointer(CURL *handle, CURLoption option, void *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_set_callback(CURL *handle, CURLoption option, curl_write_callback value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tenure_curl_get_number(CURL *handle, CURLINFO info, long *value)
{
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tenure_curl_get_pointer(CURL *handle, CURLINFO info, char **value)
{
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode tenure_curl_multi_set_number(CURLM *multi, CURLMoption option, long value)
{
    return curl_multi_setopt(multi, option, value);
}

/* Wrappers for macros that Swift can't import. */
static inline CURLcode tenure_curl_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode tenure_curl_only_web(CURL *handle)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline CURLcode tenure_curl_only_mail(CURL *handle)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

static inline CURLcode tenure_curl_set_debug(CURL *handle, curl_debug_callback value)
{
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode tenure_curl_set_progress(CURL *handle, curl_xferinfo_callback value)
{
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

/* libcurl copies the bytes. */
static inline CURLcode tenure_curl_set_blob(CURL *handle, CURLoption option, const void *bytes, size_t count)
{
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

/* Returns the ASCII form of a host name, or NULL if it has none; free it with curl_free. Needs libcurl 7.88. */
static inline char *tenure_curl_ascii_host(const char *name)
{
    char *host = NULL;
#ifdef CURLU_PUNYCODE
    CURLU *url = curl_url();
    if (!url) return NULL;
    if (curl_url_set(url, CURLUPART_SCHEME, "https", 0) || curl_url_set(url, CURLUPART_HOST, name, 0)
        || curl_url_get(url, CURLUPART_HOST, &host, CURLU_PUNYCODE))
        host = NULL;
    curl_url_cleanup(url);
#else
    (void)name;
#endif
    return host;
}

/* Returns 1 for a public internet address, and 0 for a loopback, private, link-local or reserved one. */
static inline int tenure_is_public_v4(const unsigned char *a)
{
    if (a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224) return 0;
    if (a[0] == 100 && (a[1] & 0xC0) == 64) return 0;
    if (a[0] == 169 && a[1] == 254) return 0;
    if (a[0] == 172 && (a[1] & 0xF0) == 16) return 0;
    if (a[0] == 192 && a[1] == 168) return 0;
    if (a[0] == 192 && a[1] == 0 && (a[2] == 0 || a[2] == 2)) return 0;
    if (a[0] == 192 && a[1] == 88 && a[2] == 99) return 0;
    if (a[0] == 198 && (a[1] == 18 || a[1] == 19 || (a[1] == 51 && a[2] == 100))) return 0;
    if (a[0] == 203 && a[1] == 0 && a[2] == 113) return 0;
    return 1;
}

static inline int tenure_is_public_v6(const unsigned char *a)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    static const unsigned char translated[12] = {0, 0x64, 0xFF, 0x9B};
    if (memcmp(a, mapped, 12) == 0 || memcmp(a, translated, 12) == 0) return tenure_is_public_v4(a + 12);
    if (a[0] == 0x20 && a[1] == 0x02) return tenure_is_public_v4(a + 2);
    if (a[0] == 0x20 && a[1] == 0x01 && (a[2] == 0 || (a[2] == 0x0D && a[3] == 0xB8))) return 0;
    return (a[0] & 0xE0) == 0x20;
}

static inline int tenure_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return tenure_is_public_v4((const unsigned char *)&((const struct sockaddr_in *)address)->sin_addr);
    if (address->sa_family == AF_INET6)
        return tenure_is_public_v6((const unsigned char *)&((const struct sockaddr_in6 *)address)->sin6_addr);
    return 0;
}

/* Returns 1 if the text is a public internet address; 0 for any other address and for text that isn't an address. */
static inline int tenure_is_public_text(const char *text)
{
    unsigned char bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1) return tenure_is_public_v4(bytes);
    if (inet_pton(AF_INET6, text, bytes) == 1) return tenure_is_public_v6(bytes);
    return 0;
}

/* How many connections of a transfer were refused and allowed because of their addresses and ports. */
struct tenure_address_check {
    int refused;
    int allowed;
};

/* The port of an address; 0 if it has none. */
static inline int tenure_port(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) return ntohs(((const struct sockaddr_in *)address)->sin_port);
    if (address->sa_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    return 0;
}

static inline curl_socket_t tenure_curl_open_public(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct tenure_address_check *check = user;
    int port = tenure_port(&address->addr);
    (void)purpose;
    if (!tenure_is_public(&address->addr) || (port != 80 && port != 443)) {
        check->refused++;
        return CURL_SOCKET_BAD;
    }
    check->allowed++;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Checks each connection's address after name resolution, so that a DNS name can't lead to another address later.
   The result must live as long as the handle. */
static inline CURLcode tenure_curl_only_public(CURL *handle, struct tenure_address_check *result)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, result);
    if (code != CURLE_OK) return code;
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, tenure_curl_open_public);
}
