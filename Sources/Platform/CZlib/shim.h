#include <zlib.h>

/* A macro that Swift does not see: begins to unpack what has no header of zlib's, as in a zip (RFC 1951). */
static inline int tenure_inflate_begin(z_stream *stream)
{
    return inflateInit2(stream, -MAX_WBITS);
}
