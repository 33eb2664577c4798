"""Makes app packages that contain random bytes."""

import hashlib
import json
import os
import uuid
import zipfile
from pathlib import Path

CHUNK = 1000


class Package:
    """A complete and valid package that is written to a folder."""

    def __init__(
            self, folder: Path, item: int, version: int, sizes=(2500, 1000), deltas=(), revision: int = 1,
            bundle: str | None = None, digests: bool = True, assets: dict[str, bytes] | None = None,
            short: str | None = None, is_marketplace: bool = False):
        self.folder, self.item, self.version, self.revision = folder, item, version, revision
        self.bundle = bundle or f"com.example.app{item}"
        self.digests, self.is_marketplace = digests, is_marketplace
        self.short = short or f"1.{version % 100}"
        self.signature = os.urandom(64)
        self.assets = dict(assets or {})
        for size in sizes if assets is None else ():
            self.assets[f"variant/{uuid.uuid4()}.ipa"] = os.urandom(size)
        for size in deltas:
            self.assets[f"delta/{uuid.uuid4()}.ipa"] = os.urandom(size)
        self.write()

    @property
    def variants(self) -> list[str]:
        return [path for path in self.assets if path.startswith("variant/")]

    @property
    def deltas(self) -> list[str]:
        return [path for path in self.assets if path.startswith("delta/")]

    def later(self, folder: Path, revision: int, deltas=(), **members) -> "Package":
        """A later revision of the same version, with the same variants."""
        variants = {path: self.assets[path] for path in self.variants}
        return Package(
            folder, self.item, self.version, deltas=deltas, revision=revision, bundle=self.bundle, assets=variants,
            is_marketplace=self.is_marketplace, **members)

    @property
    def manifest(self) -> dict:
        return {
            "manifestSchemaVersion": "1.0", "distributionPackageRevision": self.revision,
            "appleItemId": str(self.item), "bundleId": self.bundle, "shortVersionString": self.short,
            "bundleVersion": str(self.version), "appleVersionId": str(self.version), "platforms": ["ios"],
            "minimumSystemVersions": {"ios": "17.4"}, "requiredDeviceCapabilities": ["arm64"],
            "appInstallDeterminants": ["marketplace"] if self.is_marketplace else [],
            "hasMessagesExtension": False, "isLaunchProhibited": False,
            "variants": [
                self._asset(path) | {"installTargets": [{"device": f"iPhone{14 + place},8", "os": "17.4"}]} | {
                    "variantDetails": self._details(path)} for place, path in enumerate(self.variants)],
            "deltas": [
                self._asset(path) | {
                    "sourceVariant": {
                        "installTargets": [{"device": "iPhone14,8", "os": "17.4"}],
                        "appleVersionId": str(self.version - 1), "version": "0.9"},
                    "targetVariantAssetPath": self.variants[0], "deltaDetails": self._details(path)}
                for path in self.deltas]}

    def _asset(self, path: str) -> dict:
        return {"publicId": Path(path).stem, "assetPath": path}

    def _details(self, path: str) -> dict:
        data = self.assets[path]
        size = CHUNK if len(data) <= 100_000 else len(data) // 8
        digests = [hashlib.sha256(data[at:at + size]).hexdigest() for at in range(0, len(data), size)]
        return {
            "compressedSize": len(data), "uncompressedSize": 2 * len(data),
            "hashes": [{
                "algorithm": "sha256", "chunkSize": size, "encryptedChunkDigests": digests if self.digests else []}]}

    @property
    def files(self) -> dict[str, bytes]:
        """All files that a device may request, by path."""
        return self.assets | {"manifest.json": json.dumps(self.manifest).encode(), "signature": self.signature}

    def write(self) -> None:
        for path, data in self.files.items():
            place = self.folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

    def zip(self, path: Path, packing: int = zipfile.ZIP_DEFLATED, files: dict[str, bytes] | None = None) -> Path:
        with zipfile.ZipFile(path, "w", packing) as archive:
            for name, data in (files if files is not None else self.files).items():
                archive.writestr(name, data)
        return path


class Written:
    """A package that is read from a folder."""

    def __init__(self, folder: Path):
        self.files = {
            name: (folder / name).read_bytes() for name in ("manifest.json", "signature")}
        manifest = json.loads(self.files["manifest.json"])
        paths = [asset["assetPath"] for asset in manifest["variants"] + manifest["deltas"]]
        self.assets = {path: (folder / path).read_bytes() for path in paths}
