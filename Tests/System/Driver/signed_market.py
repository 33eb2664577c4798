"""A marketplace whose users sign in."""

import secrecy
from mart import Mart
from signing_in import PASSWORD, SYSTEM, AppSigningIn

INVALID = "invalid_grant"


class SignedMarket(Mart):
    """A marketplace with the account `ada`, which has a password."""

    def __init__(self, installation, server, **members):
        super().__init__(installation, server, apps=2, access="token")
        self.members = {"appleItemID": str(self.items[1])} | members
        self.apply()
        self.token = secrecy.keep(self.account("ada", self.items[0]))
        self.password(PASSWORD)
        self.offer = {"apps": [{"appleItemId": str(self.items[0]), "appleVersionId": "7000"}], "platform": "iOS",
                      "osVersion": "18.2"}

    def password(self, text: str) -> None:
        self.installation.do(
            "account", "add", "ada", "--password-file", "-", "--tenant", self.tenant, given=secrecy.keep(text) + "\n")

    def app(self, redirect: str = SYSTEM) -> AppSigningIn:
        return AppSigningIn(self.server.new_client(), self.tenant, redirect)

    def opens(self, token: str, what: str = "restore") -> int:
        """The status of a request with this bearer token."""
        return self.server.client.post(
            f"/marketplace/{self.tenant}/{what}", self.offer, {"Authorization": f"Bearer {token}"}).status

    def credentials(self) -> dict[str, dict]:
        listed = self.do("account", "credentials", "ada", "--json").json["credentials"]
        return {one["kind"]: one for one in reversed(listed)}

    def operator(self) -> dict:
        words = ("token", "create", "--tenant", self.tenant, "--scope", "accounts:write", "--json")
        return {"Authorization": "Bearer " + secrecy.keep(self.installation.do(*words).json["token"])}

    def events(self, kind: str) -> list[dict]:
        words = ("token", "create", "--tenant", self.tenant, "--scope", "events:read", "--json")
        token = secrecy.keep(self.installation.do(*words).json["token"])
        answer = self.server.client.get(
            f"/v1/{self.tenant}/events?limit=1000", {"Authorization": f"Bearer {token}"})
        return [event for event in answer["events"] if event["kind"] == kind]
