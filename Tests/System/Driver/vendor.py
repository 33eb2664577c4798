"""A tenant of a running server, as its vendor sees it."""

import catalogs
from client import App
from installation import Installation, Running


class Vendor:
    """A tenant for one test."""

    def __init__(self, installation: Installation, server: Running):
        self.installation, self.server = installation, server
        self.tenant = catalogs.fresh()

    def offer(self, *products: dict) -> None:
        """Applies a catalog with these products, or with the standard product if none is given."""
        self.installation.apply(catalogs.catalog(self.tenant, *products))

    def offer_license(self, policy: dict | None = None, **members) -> str:
        """Offers one product with one license, and returns the license key."""
        key, policy = catalogs.fresh_key(), policy or catalogs.policy()
        self.offer(catalogs.product(
            policies=[policy], licenses=[catalogs.license(key, policy["id"], **members)]))
        return key

    def app(self, product: str = "notes", headers: dict | None = None) -> App:
        return App(self.server.client, self.tenant, product, headers)

    def keyset(self) -> dict:
        """The published keys."""
        answer = self.server.client.get(f"/{self.tenant}/.well-known/keylight-keys")
        assert answer.status == 200, answer
        return answer.json

    def license(self, *words: str):
        """Runs a `tenure license` command on this tenant that must succeed."""
        return self.installation.do("license", *words, "--tenant", self.tenant)
