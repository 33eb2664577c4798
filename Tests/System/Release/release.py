"""The files that Scripts/release has made."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3]


class Release:
    """A folder with the files of one release."""

    def __init__(self, folder: Path):
        self.folder = folder
        [self.tarball] = folder.glob("tenure-*.tar.gz")
        [self.debian_package] = folder.glob("tenure_*.deb")
        self.name = self.tarball.name.removesuffix(".tar.gz")
        self.checksums = folder / f"{self.name}.SHA256SUMS"
        self.parts = folder / f"{self.name}.spdx.json"

    @property
    def files(self) -> list[Path]:
        """The published files."""
        return [self.tarball, self.debian_package, self.parts, self.checksums]
