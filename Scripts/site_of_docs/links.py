"""Follows every link of the made site."""

import posixpath
import re
from urllib.parse import unquote, urlsplit

LINK = re.compile(r'\b(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\bid="([^"]*)"')
# A page may not load a script, or anything from another host.
FOREIGN = re.compile(r'<script|\bsrc="[a-z]+:|<link[^>]*href="[a-z]+:|@import|url\(')


def faults(pages: dict[str, bytes], first: str) -> list[str]:
    """Links without a target, pages that no link leads to, and references that would need a network."""
    texts = {path: page.decode() for path, page in pages.items() if path.endswith(".html")}
    anchors = {path: set(ANCHOR.findall(text)) for path, text in texts.items()}
    found, reached, queue = [], {first}, [first]
    for path, text in texts.items():
        found += [f"{path}: needs {foreign}" for foreign in FOREIGN.findall(text.partition("<main>")[0])]
        found += [f"{path}: needs {foreign}" for foreign in re.findall(r'<script[^>]*>|\bsrc="[a-z]+:[^"]*"', text)]
    while queue:
        path = queue.pop()
        for link in LINK.findall(texts.get(path, "")):
            parts = urlsplit(link.replace("&amp;", "&"))
            if parts.scheme:
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path))) if parts.path else path
            if target not in pages:
                found.append(f"{path}: {link} leads to no page")
            elif parts.fragment and unquote(parts.fragment) not in anchors.get(target, set()):
                found.append(f"{path}: {link} leads to no heading")
            if target in pages and target not in reached:
                reached.add(target)
                queue.append(target)
    return found + [f"no link leads to {path}" for path in sorted(pages.keys() - reached)]
