#include "CBuild.h"

const char *tenure_build(void) { return TENURE_BUILD; }
