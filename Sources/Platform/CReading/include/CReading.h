#include <sys/types.h>

/* Reads from a socket like recv without flags: returns a count, 0 at the end, or -1 with errno set. */
typedef ssize_t (*tenure_reader)(void *context, int descriptor, void *bytes, size_t count);

/* Makes every call of recv without flags on the current thread call `reader` instead, also calls by libraries.

   libmicrohttpd reads, parses and rejects requests by itself and has no hook in between. This program therefore
   defines recv, which takes the place of the C library's for all shared libraries. */
void tenure_read_through(void *context, tenure_reader reader);
