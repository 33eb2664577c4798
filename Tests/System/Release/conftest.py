"""Fixtures for the files of a release. TENURE_RELEASE is the folder with the files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from release import Release


@pytest.fixture(scope="session")
def release() -> Release:
    return Release(Path(os.environ["TENURE_RELEASE"]))


@pytest.fixture(scope="session")
def unpacked(release, tmp_path_factory) -> Path:
    """The folder in the tarball."""
    folder = tmp_path_factory.mktemp("unpacked")
    subprocess.run(["tar", "-xzf", release.tarball, "-C", folder], check=True)
    return folder / release.name
