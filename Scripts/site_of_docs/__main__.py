"""Makes the site, checks it, and writes it; see Scripts/docs."""

import shutil
import subprocess
import sys

from symbol_graphs import PACKAGE, PRODUCTS, symbol_graphs

from . import links
from .pages import Site
from .reference import Reference
from .template import STYLE

FOLDER = PACKAGE / ".build/docs"


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PACKAGE, check=True, capture_output=True, text=True)
    files = {name for name in listed.stdout.split("\0") if (PACKAGE / name).is_file()}
    reference = Reference({product: symbol_graphs(product) for product in PRODUCTS})
    site = Site(PACKAGE, files, reference)
    site.build()
    site.pages["style.css"] = STYLE.encode()
    missing = sorted(
        name for name in files - set(site.linked)
        if name.endswith(".md") and ("/" not in name or name.startswith(("Documentation/", "Sources/"))))
    faults = [*site.faults, *reference.faults, *links.faults(site.pages, "index.html")]
    faults += [f"no link leads from README.md to {name}" for name in missing]
    if faults:
        print("\n".join(f"docs: {fault}" for fault in dict.fromkeys(faults)), file=sys.stderr)
        return 1
    if sys.argv[1:] != ["--check"]:
        shutil.rmtree(FOLDER, ignore_errors=True)
        for path, page in site.pages.items():
            (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
            (FOLDER / path).write_bytes(page)
        print("docs: .build/docs (serve it with: python3 -m http.server -d .build/docs)")
    print(f"docs: {len(site.pages)} pages, and no broken link")
    return 0


if __name__ == "__main__":
    sys.exit(main())
