"""Reads the public declarations of the package's products from the modules that `make check` built."""

import json
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
PRODUCTS = ("TenureClient", "TenureContentClient", "TenureMarketplaceClient")
BUILT = PACKAGE / ".build/check/debug"


def _run(*words) -> str:
    return subprocess.run(
        words, cwd=PACKAGE, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


@cache
def _targets() -> list[dict]:
    return json.loads(_run("swift", "package", "dump-package"))["targets"]


@cache
def _graphs(module: str) -> list[dict]:
    triple = json.loads(_run("swift", "-print-target-info"))["target"]["unversionedTriple"]
    doors = [word for found in _targets() if found["type"] == "system" for word in ("-I", PACKAGE / found["path"])]
    with tempfile.TemporaryDirectory() as folder:
        _run(
            "swift", "symbolgraph-extract", "-module-name", module, "-I", BUILT / "Modules", *doors, "-target", triple,
            "-output-dir", folder, "-minimum-access-level", "public", "-skip-synthesized-members")
        return [json.loads(file.read_text()) for file in sorted(Path(folder).glob("*.symbols.json"))]


def _identifiers(symbol: dict) -> list[str]:
    return [part["preciseIdentifier"] for part in symbol["declarationFragments"] if "preciseIdentifier" in part]


def _target(identifier: str) -> str | None:
    """The target of this package that declares a symbol; `None` if another package or the toolchain does."""
    found = re.match(r"s:(\d+)", identifier)
    name = identifier[found.end():][:int(found[1])] if found else None
    return name if any(target["name"] == name for target in _targets()) else None


def _aliases(product: str) -> dict[str, str]:
    """The types of other targets to which the product gives a name: the name, by the type's identifier."""
    return {
        identifier: symbol["pathComponents"][0]
        for graph in _graphs(product) for symbol in graph["symbols"] if symbol["kind"]["identifier"] == "swift.typealias"
        for identifier in _identifiers(symbol) if _target(identifier) not in (None, product)}


def _members(product: str) -> list[dict]:
    """The members of the types of other targets to which the product gives a name, as if it declared them.

    Members whose signature has a type without such a name are left out, because an app can't use them.
    """
    aliases, found = _aliases(product), []
    for target in sorted({_target(identifier) for identifier in aliases}):
        symbols = [symbol for graph in _graphs(target) for symbol in graph["symbols"]]
        names = {
            symbol["pathComponents"][0]: aliases[symbol["identifier"]["precise"]]
            for symbol in symbols if symbol["identifier"]["precise"] in aliases}
        members = [
            symbol for symbol in symbols if symbol["pathComponents"][0] in names and len(symbol["pathComponents"]) > 1]
        named = {*aliases, *(member["identifier"]["precise"] for member in members)}
        found += [
            member | {"pathComponents": [names[member["pathComponents"][0]], *member["pathComponents"][1:]]}
            for member in members if not any(map(_target, set(_identifiers(member)) - named))]
    return found


def symbol_graphs(product: str) -> list[dict]:
    """The symbol graphs of a product, with the members of types of other targets to which it gives a name.

    Declarations that exist only on Apple systems are missing.
    """
    return [*_graphs(product), {"symbols": _members(product)}]


def unreachable(product: str) -> list[str]:
    """Declarations whose signature has a type that an app can't name if it imports the product alone."""
    found = []
    for graph in _graphs(product):
        names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]}
        used = [
            (names[symbol["identifier"]["precise"]], identifier)
            for symbol in graph["symbols"] if symbol["kind"]["identifier"] != "swift.typealias"
            for identifier in _identifiers(symbol)]
        used += [
            (names[relation["source"]], relation["target"])
            for relation in graph["relationships"] if relation["kind"] == "conformsTo" and relation["source"] in names]
        found += [
            f"{name} needs `import {_target(identifier)}`"
            for name, identifier in used if _target(identifier) not in (None, product)]
    return sorted(set(found))
