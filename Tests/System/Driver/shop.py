"""A marketplace whose packages the server stores."""

import json
import os

from catalogs import fresh
from installation import Installation
from package import Package


class Shop:
    """A marketplace for one test, on the shared server."""

    def __init__(self, installation: Installation, server, access: str = "open", **members):
        self.installation, self.server = installation, server
        self.tenant = fresh("packages")
        self.home = installation.home / self.tenant
        self.home.mkdir()
        self.item = int.from_bytes(os.urandom(4)) + 1
        self.own = self.item + 1
        self.members = {"access": access, "appleItemID": str(self.own)} | members
        self.app: dict = {}
        self.apply()

    def apply(self, *options: str, **app):
        self.app |= app
        marketplace = {
            "name": "Mart", "domain": f"{self.tenant}.example", "apps": [
                {"appleItemID": str(self.item), "name": "Game"} | self.app,
                {"appleItemID": str(self.own), "name": "Mart"}]} | self.members
        file = self.home / "catalog.json"
        file.write_text(json.dumps({"tenants": [{"id": self.tenant, "marketplace": marketplace}]}))
        return self.installation.run("apply", str(file), *options)

    def package(self, version: int = 900000101, **members) -> Package:
        item = members.pop("item", self.item)
        return Package(self.home / f"package-{len(list(self.home.iterdir()))}", item, version, **members)

    def ingest(self, path, *options: str):
        return self.installation.run("marketplace", "ingest", str(path), "--tenant", self.tenant, *options)

    def brought(self, **members) -> Package:
        """Makes a package and ingests it."""
        package = self.package(**members)
        output = self.ingest(package.folder)
        assert output.code == 0, output
        return package

    def packages(self) -> list[dict]:
        return self.installation.do("marketplace", "packages", "--tenant", self.tenant, "--json").json["packages"]

    def path(self, package: Package, file: str) -> str:
        return f"/adp/{self.tenant}/{package.item}/{package.version}/{file}"

    def get(self, package: Package, file: str, method: str = "GET", **fields: str):
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.server.client.ask(method, self.path(package, file), headers=headers)

    def offers(self, kind: str, version, token: str | None = None):
        body = {
            "apps": [{"appleItemId": str(self.item), "appleVersionId": str(version)}], "platform": "iOS",
            "osVersion": "18.2"}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.server.client.ask(
            "POST", f"/marketplace/{self.tenant}/{kind}", json.dumps(body).encode(), headers)

    def folder(self, package: Package):
        data = self.installation.data if self.installation.data.exists() else self.installation.home / "tenure-data"
        return data / "packages" / self.tenant / str(package.item) / str(package.version)
