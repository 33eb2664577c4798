#include <zlib.h>

/* Starts decompressing raw DEFLATE data (RFC 1951), as in a zip. Swift can't import the macro inflateInit2. */
static inline int tenure_inflate_begin(z_stream *stream)
{
    return inflateInit2(stream, -MAX_WBITS);
}
