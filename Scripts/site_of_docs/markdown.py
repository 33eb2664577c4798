"""Turns Markdown into HTML with the anchors that Git hosts give headings."""

import re

from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def render(text: str) -> tuple[str, str]:
    """Returns a page's HTML and its title, which is the first heading."""
    tokens, title, seen = _PARSER.parse(text), "", {}
    for token, content in zip(tokens, tokens[1:]):
        if token.type != "heading_open":
            continue
        words = "".join(part.content for part in content.children if part.type in ("text", "code_inline"))
        title = title or words
        anchor = slug(words)
        count = seen[anchor] = seen.get(anchor, -1) + 1
        token.attrSet("id", f"{anchor}-{count}" if count else anchor)
    return _PARSER.renderer.render(tokens, _PARSER.options, {}), title
