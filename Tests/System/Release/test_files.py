"""Checks the contents of a release's files."""

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

from release import PACKAGE, Release
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document


def test_the_checksums_of_a_release_cover_all_published_files(release):
    listed = dict(reversed(line.split("  ")) for line in release.checksums.read_text().splitlines())
    published = [file for file in release.files if file != release.checksums]
    assert listed == {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in published}


def test_two_release_builds_in_different_folders_have_the_same_bytes(release):
    again = Release(Path(os.environ["TENURE_RELEASE_AGAIN"]))
    assert [file.name for file in again.files] == [file.name for file in release.files]
    assert [file.name for file, other in zip(release.files, again.files) if file.read_bytes() != other.read_bytes()] == []


def test_every_link_in_the_pages_of_the_release_tarball_resolves(unpacked):
    subprocess.run([PACKAGE / "Scripts/check-links", unpacked], check=True)


def test_the_release_tarball_has_all_documentation_pages_and_pictures(unpacked):
    for pattern in ("Documentation/*", "Documentation/images/*"):
        assert {path.name for path in (PACKAGE / pattern).parent.glob("*")} == {
            path.name for path in (unpacked / pattern).parent.glob("*")}


def test_the_release_tarball_has_every_example_that_a_page_names(unpacked):
    text = "\n".join(page.read_text() for page in unpacked.rglob("*.md"))
    # Git ignores files that the commands on the pages create in this folder.
    named = {name.rstrip("/.") for name in re.findall(r"\bExamples/[\w./-]+", text)}
    missing = {name for name in named if not (unpacked / name).exists()}
    ignored = subprocess.run(["git", "check-ignore", *missing], cwd=PACKAGE, capture_output=True, text=True).stdout.split()
    assert len(named) > 10 and missing == set(ignored)


def test_the_manual_page_in_the_release_tarball_names_the_version_of_the_program(unpacked):
    version = subprocess.run([unpacked / "bin/tenure", "version"], capture_output=True, text=True, check=True).stdout.split()[1]
    assert unpacked.name.startswith(f"tenure-{version}-linux-")
    assert version.replace("-", r"\-") in (unpacked / "man/man1/tenure.1").read_text().splitlines()[0]
    done = subprocess.run(["man", "--warnings", "-l", unpacked / "man/man1/tenure.1"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""


def test_the_sbom_is_valid_spdx_and_names_each_library(release, unpacked):
    document = parse_file(str(release.parts))
    assert validate_full_spdx_document(document) == []
    packages = {package["name"]: package for package in json.loads(release.parts.read_text())["packages"]}
    assert all(packages[program]["checksums"][0]["checksumValue"]
               == hashlib.sha256((unpacked / "bin" / program).read_bytes()).hexdigest() for program in ("tenure", "notes-cli"))
    assert set((unpacked / "PACKAGES").read_text().split()) | {"tenure", "notes-cli", "swift-runtime"} == set(packages)
