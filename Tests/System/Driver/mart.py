"""A tenant with a marketplace, as its vendor sees it."""

import base64
import json
import os
import uuid

import catalogs
from installation import Installation, Running
from phone import Phone


def manifest(item: int, version: int, assets: list[str]) -> dict:
    """The manifest of a package with these variants."""
    return {
        "manifestSchemaVersion": "1.0", "distributionPackageRevision": 1, "appleItemId": str(item),
        "bundleId": f"com.example.app{item}", "shortVersionString": "1.0", "bundleVersion": "1",
        "appleVersionId": str(version), "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"},
        "requiredDeviceCapabilities": ["arm64"], "appInstallDeterminants": [], "hasMessagesExtension": False,
        "isLaunchProhibited": False, "deltas": [],
        "variants": [
            {
                "publicId": asset, "assetPath": f"variant/{asset}.ipa",
                "installTargets": [{"device": f"iPhone{15 + place},1", "os": "17.4"}],
                "variantDetails": {
                    "compressedSize": 1000, "uncompressedSize": 2000,
                    "hashes": [{"algorithm": "sha256", "chunkSize": 1000, "encryptedChunkDigests": ["00" * 32]}]}}
            for place, asset in enumerate(assets)]}


class Mart:
    """A marketplace for one test, with apps of one variant each."""

    def __init__(self, installation: Installation, server: Running, apps: int = 3, access: str = "open", **rules):
        self.installation, self.server, self.access = installation, server, access
        self.tenant = catalogs.fresh("mart")
        self.domain = f"{self.tenant}.example"
        first = uuid.uuid4().int % 10**9 + 10**9
        self.apps = {first + n: (str(7_000 + n), str(uuid.uuid4())) for n in range(apps)}
        self.blobs = {asset: os.urandom(560) for _, asset in self.apps.values()}
        self.rules = {"durationDays": 30, "jitterPercent": 10, "deviceLimit": 2} | rules
        self.changes: dict[int, dict] = {}
        self.members: dict = {}
        self.apply()

    @property
    def items(self) -> list[int]:
        return list(self.apps)

    def apply(self):
        """Writes packages and catalog to disk, applies them, and returns the command's output."""
        folder = self.installation.home / self.tenant
        apps = []
        for item, (version, asset) in self.apps.items():
            package = folder / f"package-{item}"
            package.mkdir(parents=True, exist_ok=True)
            (package / "manifest.json").write_text(json.dumps(manifest(item, int(version), [asset])))
            (package / "signature").write_bytes(b"not checked")
            (package / "keyblobs.json").write_text(
                json.dumps({asset: base64.b64encode(self.blobs[asset]).decode()}))
            apps.append({
                "appleItemID": str(item), "bundleID": f"com.example.app{item}", "name": f"App {item}",
                "package": f"package-{item}", "license": self.rules} | self.changes.get(item, {}))
        catalog = {"tenants": [{"id": self.tenant, "marketplace": {
            "name": "Mart", "domain": self.domain, "access": self.access, "apps": apps} | self.members}]}
        (folder / "catalog.json").write_text(json.dumps(catalog))
        return self.installation.do("apply", str(folder / "catalog.json"))

    def account(self, id: str, *items: int) -> str:
        """Adds an account with these apps and returns its token."""
        self.do("account", "add", id)
        for item in items:
            self.do("account", "grant", id, "--item", str(item))
        return self.do("account", "token", id, "--json").json["token"]

    def do(self, *words: str):
        """Runs a command on this tenant that must succeed."""
        return self.installation.do(*words, "--tenant", self.tenant)

    def phone(self, token: str | None = None) -> Phone:
        return Phone(self.server.client, self.domain, token)
