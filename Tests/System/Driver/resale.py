"""A vendor that made a backup, and then sells and changes licenses before the backup is restored."""

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from installation import Installation

POLICIES = [policy(), policy("yearly", duration="P1Y", activationLimit=2)]


class Shop:
    """A vendor that made a backup and then sold, renewed and changed licenses."""

    def __init__(self, installation: Installation):
        self.installation, self.old = installation, fresh_key()
        self.offer()
        self.token = installation.do(
            "token", "create", "--tenant", "acme", "--name", "web", "--scope", "licenses:write", "--scope",
            "licenses:read", "--json").json
        secrecy.keep(self.token["token"])
        installation.do("backup", "copy.sqlite")

    def offer(self, *policies: dict):
        self.installation.apply(self.catalog(*policies))

    def catalog(self, *policies: dict) -> dict:
        return catalog("acme", product(
            policies=POLICIES + list(policies), trialDays=14,
            licenses=[license(self.old, "yearly", holder="old@example.com")]))

    def sell(self, *options: str, policy: str = "pro") -> str:
        issued = self.installation.issue("acme", "notes", policy, *options)
        return issued["licenseKey"]

    def order(self, server, key: str, **members):
        """Orders a license over the operator API; returns the license."""
        answer = server.client.post(
            "/v1/acme/licenses", {"product": "notes", "policy": "pro"} | members,
            {"Authorization": f"Bearer {self.token['token']}", "Idempotency-Key": key})
        assert answer.status in (200, 201), answer
        license = answer["licenses"][0]
        if "licenseKey" in license:
            secrecy.keep(license["licenseKey"])
        return license

    def restore(self, *options: str):
        return self.installation.do("restore", "copy.sqlite", "--replace", *options)

    def restored(self, *options: str) -> dict:
        return self.restore(*options, "--json").json["given"]
