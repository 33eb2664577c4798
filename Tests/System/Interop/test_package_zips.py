"""Tests ingesting packages as zip files, including those of other programs and hostile ones."""

import stat
import struct
import subprocess
import zipfile

import pytest
from package import Package
from shop import Shop

ENGINES = ("postgres",)


@pytest.fixture
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server)


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_package_ingested_from_a_zip_is_the_same_as_one_ingested_from_its_folder(shop, packing):
    package = shop.package(deltas=(10,))
    archive = package.zip(shop.home / "package.zip", packing)
    output = shop.ingest(archive)
    assert output.code == 0, output
    for path, data in package.files.items():
        assert shop.get(package, path).body == data
    assert "nothing was changed" in shop.ingest(package.folder).out


def test_a_package_can_be_ingested_from_a_zip_with_entries_for_folders(shop):
    package = shop.package(sizes=(3_000_000,))
    archive = shop.home / "made.zip"
    subprocess.run(
        ["python3", "-m", "zipfile", "-c", str(archive), *(str(path) for path in sorted(package.folder.iterdir()))],
        check=True, stdin=subprocess.DEVNULL)
    assert "variant/" in zipfile.ZipFile(archive).namelist()
    assert shop.ingest(archive).code == 0
    assert shop.get(package, package.variants[0]).body == package.assets[package.variants[0]]


def test_a_package_can_be_ingested_from_a_zip64_file(shop):
    package = shop.package()
    archive = shop.home / "wide.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name, data in package.files.items():
            with made.open(name, "w", force_zip64=True) as file:
                file.write(data)
    assert shop.ingest(archive).code == 0
    assert shop.get(package, "signature").body == package.signature


def damaged_zips(package: Package, folder):
    """Invalid zip files, each with a text that the error must contain."""
    def archive(name, add):
        path = folder / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for file, data in package.files.items():
                made.writestr(file, data)
            add(made)
        return path

    def link(made):
        info = zipfile.ZipInfo("variant/link.ipa")
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        made.writestr(info, "/etc/passwd")

    def double(made):
        with pytest.warns(UserWarning):
            made.writestr("signature", b"another")

    yield archive("link", link), "is a link"
    yield archive("double", double), "is contained twice"
    yield archive("above", lambda made: made.writestr("../../escaped", b"x")), "not listed in the manifest"
    yield archive("rooted", lambda made: made.writestr("/escaped", b"x")), "not listed in the manifest"
    yield archive("extra", lambda made: made.writestr("__MACOSX/._x", b"x")), "not listed in the manifest"
    whole = package.zip(folder / "whole.zip").read_bytes()
    (folder / "cut.zip").write_bytes(whole[:-30])
    yield folder / "cut.zip", "isn't a zip file"
    (folder / "empty.zip").write_bytes(b"")
    yield folder / "empty.zip", "isn't a zip file"
    # The zip's directory states the manifest's size, but the entry expands to more bytes.
    bomb = package.zip(folder / "bomb.zip", files=package.files | {package.variants[0]: bytes(50_000_000)})
    data = bytearray(bomb.read_bytes())
    size = struct.pack("<I", 50_000_000)
    assert data.count(size) >= 1
    bomb.write_bytes(bytes(data).replace(size, struct.pack("<I", len(package.assets[package.variants[0]]))))
    yield bomb, "damaged"
    # One byte differs in an asset without a digest; the zip's own checksum detects it.
    flipped = bytearray(package.zip(folder / "flipped.zip", zipfile.ZIP_STORED).read_bytes())
    flipped[bytes(flipped).index(package.assets[package.variants[0]]) + 5] ^= 1
    (folder / "flipped.zip").write_bytes(flipped)
    yield folder / "flipped.zip", "damaged"


def test_damaged_and_malicious_zips_are_refused_and_change_nothing(shop):
    package = shop.package(digests=False)
    for archive, word in damaged_zips(package, shop.home):
        output = shop.ingest(archive)
        assert output.code == 1 and word in output.err, (archive.name, output)
        assert shop.packages() == [] and not shop.folder(package).exists()
    assert not (shop.installation.home.parent / "escaped").exists()
