"""The reference of the products: a page for each public type, made from its symbol graphs."""

import re
from collections.abc import Iterator

from .markdown import slug

SYMBOL = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")
ARTICLE = re.compile(r"<doc:(\w+)>")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
# Begins a link to a path in the site, in contrast to one in the repository.
OWN = "site:"
TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}


class Symbol:
    """A public declaration."""

    def __init__(self, product: str, facts: dict):
        self.product = product
        self.path: list[str] = facts["pathComponents"]
        self.kind: str = facts["kind"]["identifier"].removeprefix("swift.")
        self.declaration = "".join(part["spelling"] for part in facts["declarationFragments"])
        comment = facts.get("docComment")
        self.comment = "\n".join(line["text"] for line in comment["lines"]) if comment else ""

    @property
    def name(self) -> str:
        return ".".join(self.path)

    @property
    def page(self) -> str:
        """The page of the outermost type, or of free functions and extensions of other modules' types."""
        return f"{self.path[0] if len(self.path) > 1 or self.kind in TYPES else 'functions'}.html"

    @property
    def target(self) -> str:
        return self.page if len(self.path) == 1 and self.kind in TYPES else f"{self.page}#{slug(self.name)}"


class Reference:
    def __init__(self, graphs: dict[str, list[dict]]):
        self.symbols = {
            product: sorted(
                (Symbol(product, facts) for graph in found for facts in graph["symbols"]),
                key=lambda symbol: (symbol.path[0], len(symbol.path) > 1, symbol.path))
            for product, found in graphs.items()}
        self.faults: list[str] = []

    def article(self, product: str, name: str, text: str, faults: list[str]) -> str:
        """Returns an article's Markdown with plain links; the product's own lists all its types at the end."""
        if name == product:
            text = text.replace(f"# ``{product}``", f"# {product}", 1)
            pages = dict.fromkeys((symbol.page, symbol.page.removesuffix(".html")) for symbol in self.symbols[product])
            text += "\n## All types\n\n" + "".join(f"* [{title}]({self._url(product, page)})\n" for page, title in pages)
        return self._linked(product, text, f"{product}.docc/{name}.md", faults)

    def pages(self) -> Iterator[tuple[str, str, str]]:
        """The path, title and Markdown of each page."""
        for product, symbols in self.symbols.items():
            pages: dict[str, list[Symbol]] = {}
            for symbol in symbols:
                pages.setdefault(symbol.page, []).append(symbol)
            for page, found in pages.items():
                title = page.removesuffix(".html")
                text = f"# {title}\n\n[{product}](index.html)\n\n" + "".join(map(self._entry, found))
                yield f"reference/{product}/{page}", f"{title} - {product}", self._linked(product, text, page, self.faults)

    def _entry(self, symbol: Symbol) -> str:
        heading = "" if symbol.target == symbol.page else f"## {symbol.name}\n\n"
        return f"{heading}```swift\n{symbol.declaration}\n```\n\n{symbol.comment}\n\n"

    def _url(self, product: str, target: str) -> str:
        return f"{OWN}reference/{product}/{target}"

    def _linked(self, product: str, text: str, origin: str, faults: list[str]) -> str:
        """Replaces DocC's links to symbols and articles, outside blocks of code."""
        own = origin.removesuffix(".html").split("/")[-1]

        def symbol_link(found: re.Match) -> str:
            target = self._find(product, own, found[1])
            if not target:
                faults.append(f"{origin}: ``{found[1]}`` is no public declaration")
                return f"`{found[1]}`"
            return f"[`{found[1].split('/')[-1]}`]({self._url(target.product, target.target)})"

        def article_link(found: re.Match) -> str:
            words = re.sub(r"(?<!^)(?=[A-Z])", " ", found[1]).capitalize()
            return f"[{words}]({found[1]}.md)" if origin.endswith(".md") else f"[{words}]({self._url(product, found[1])}.html)"

        parts = FENCE.split(text)
        for index in range(0, len(parts), 2):
            parts[index] = SYMBOL.sub(symbol_link, parts[index])
            parts[index] = ARTICLE.sub(article_link, parts[index])
        return "".join(parts)

    def _find(self, product: str, own: str, path: str) -> Symbol | None:
        """The symbol with a path from the product, from the page's own type, with the product's name before it, or from
        another product, whose type the product has an alias for."""
        parts = path.split("/")
        candidates = [(product, parts), (product, [own, *parts]), (parts[0], parts[1:])]
        candidates += [(other, parts) for other in self.symbols if other != product]
        for owner, wanted in candidates:
            for symbol in self.symbols.get(owner, []):
                if symbol.path == wanted:
                    return symbol
        return None
