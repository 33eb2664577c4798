/* The build of this program: "release", the commit it was built from, or "" if the build didn't specify either.
   The package manifest reads the value from the environment variable TENURE_BUILD. */
const char *tenure_build(void);
