"""Makes the static site of `make docs` from the repository's pages and the products' public declarations."""
