"""The pages of the site: everything that links lead to from README.md."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

from . import markdown
from .reference import OWN, Reference
from .template import framed, relative

FIRST = "README.md"
# Files with these suffixes are copied into the site unchanged; other files are shown as text.
RAW = {".svg", ".png", ".json", ".css"}
LINK = re.compile(r'\b(href|src)="([^"]*)"')
CATALOG = re.compile(r"^Sources/\w+/(\w+)/\1\.docc/(\w+)\.md$")


class Site:
    def __init__(self, package: Path, files: set[str], reference: Reference):
        self.package, self.files, self.reference = package, files, reference
        self.folders = {parent.as_posix() for file in files for parent in Path(file).parents} - {"."}
        self.pages: dict[str, bytes] = {}
        self.faults: list[str] = []
        # The files and folders that links lead to, in the order found.
        self.linked: list[str] = [FIRST]

    def build(self) -> None:
        """Makes every page that can be reached from the first, then those of the reference."""
        # The list grows while the pages are made.
        for path in self.linked:
            self._add(path)
        for page, title, text in self.reference.pages():
            self._add_markdown(page, text, origin=page, title=title)

    def _link(self, path: str) -> None:
        if path not in self.linked:
            self.linked.append(path)

    def _output(self, path: str) -> str:
        """The path in the site of a file or folder of the repository."""
        if path in self.folders:
            return f"{path}/index.html"
        if catalog := CATALOG.match(path):
            product, article = catalog.groups()
            return f"reference/{product}/{'index' if article == product else article}.html"
        if path.endswith(".md"):
            return re.sub(r"README\.html$", "index.html", path[:-3] + ".html")
        return path if Path(path).suffix in RAW else f"{path}.html"

    def _add(self, path: str) -> None:
        output = self._output(path)
        if path in self.folders:
            entries = sorted({
                file[len(path) + 1:].split("/")[0] for file in self.files if file.startswith(f"{path}/")})
            # The entries aren't links, because links would add every source file to the site.
            body = f"# {path}\n\n" + "".join(f"* `{name}`\n" for name in entries)
            if f"{path}/{FIRST}" in self.files:
                self._link(f"{path}/{FIRST}")
            else:
                self._add_markdown(output, body, origin=f"{path}/")
        elif path.endswith(".md"):
            text = (self.package / path).read_text("utf-8")
            if catalog := CATALOG.match(path):
                text = self.reference.article(catalog[1], catalog[2], text, self.faults)
            self._add_markdown(output, text, origin=path)
        elif Path(path).suffix in RAW:
            self.pages[output] = (self.package / path).read_bytes()
        else:
            text = html.escape((self.package / path).read_text("utf-8", "replace"))
            self.pages[output] = framed(output, path, f"<h1>{path}</h1>\n<pre>{text}</pre>\n").encode()

    def _add_markdown(self, output: str, text: str, origin: str, title: str = "") -> None:
        body, heading = markdown.render(text)
        body = LINK.sub(lambda found: f'{found[1]}="{self._target(found[2], origin, output)}"', body)
        self.pages[output] = framed(output, title or heading, body).encode()

    def _target(self, link: str, origin: str, output: str) -> str:
        """Returns where a link leads in the site, and plans that page."""
        if link.startswith(OWN):
            path, hash_sign, anchor = link.removeprefix(OWN).partition("#")
            return relative(path, output) + hash_sign + anchor
        if re.match(r"[a-z]+:", link) or link.startswith("#") or origin.startswith("reference/"):
            return link
        name, hash_sign, anchor = unquote(html.unescape(link)).partition("#")
        path = (Path(origin).parent / name) if not origin.endswith("/") else Path(origin) / name
        parts: list[str] = []
        for part in path.parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        target = "/".join(parts)
        if target not in self.files and target not in self.folders:
            self.faults.append(f"{origin}: {link} leads to no file")
            return link
        self._link(target)
        return html.escape(relative(self._output(target), output) + hash_sign + anchor)
