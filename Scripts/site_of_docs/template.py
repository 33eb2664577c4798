"""The frame of each page: no scripts, and no requests to other hosts."""

import html
import os

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --link: light-dark(#0550ae, #79b8ff); }
body { margin: 0 auto; padding: 0 1.25rem 4rem; max-width: 60rem; font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 1.25rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .75rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; }
dt { margin-top: 1.25rem; }
dd { margin: 0 0 0 1rem; }
"""
# The pages that each page links to, as paths in the site.
NAVIGATION = [
    ("Tenure", "index.html"), ("Documentation", "Documentation/index.html"),
    ("TenureClient", "reference/TenureClient/index.html"),
    ("TenureContentClient", "reference/TenureContentClient/index.html"),
    ("TenureMarketplaceClient", "reference/TenureMarketplaceClient/index.html"),
]


def relative(target: str, page: str) -> str:
    return os.path.relpath(target, os.path.dirname(page) or ".")


def framed(page: str, title: str, body: str) -> str:
    links = "".join(f'<a href="{relative(target, page)}">{name}</a>' for name, target in NAVIGATION)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n"
        f'<link rel="stylesheet" href="{relative("style.css", page)}">\n</head>\n'
        f"<body>\n<nav>{links}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n")
