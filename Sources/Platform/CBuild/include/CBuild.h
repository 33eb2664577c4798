/* Which build of the program this is: "release", the commit that it was built from, or "" where the builder did not say.
   The package's manifest takes it from the variable TENURE_BUILD. */
const char *tenure_build(void);
