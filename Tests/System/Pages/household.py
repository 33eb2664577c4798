"""A user with a few devices, and a marketplace for one test."""

import secrecy
from installation import Installation, Running
from mart import Mart
from phone import Phone, path_of

PASSWORD = "correct horse battery staple"
DAY = 86_400


class Household:
    """The account `ada` with one app, and the devices on which it is installed."""

    def __init__(self, installation: Installation, server: Running, **rules):
        self.server, self.installation = server, installation
        self.mart = Mart(installation, server, apps=1, access="token", **rules)
        self.item = self.mart.items[0]
        self.list_app(name="Camping", shareURL="https://market.example/camping")
        self.token = secrecy.keep(self.mart.account("ada", self.item))
        installation.do(
            "account", "add", "ada", "--email", "ada@example.com", "--password-file", "-", "--tenant", self.mart.tenant,
            given=secrecy.keep(PASSWORD) + "\n")

    @property
    def page(self) -> str:
        """The URL that a device opens if its license has expired."""
        version, _ = self.mart.apps[self.item]
        return f"{self.start}?account=ada&appleItemID={self.item}&appleVersionID={version}"

    @property
    def start(self) -> str:
        return f"{self.server.address}/resolve/{self.mart.tenant}"

    def list_app(self, **members) -> None:
        """Applies the catalog with changed members of the app."""
        self.mart.changes[self.item] = self.mart.changes.get(self.item, {}) | members
        self.mart.members = {"name": "Megabyte Mart", "supportEmail": "help@market.example"}
        self.mart.apply()

    def device(self) -> tuple[Phone, str]:
        """Installs the app on a new device; returns the device and the id of its license."""
        phone = self.mart.phone(self.token)
        body = phone.read(phone.ask({self.item: self.mart.apps[self.item]}))
        return phone, body["licenses"][0]["licenseID"]

    def link(self) -> str:
        """Makes a one-time link, and returns its URL with the server's real address."""
        url = self.mart.do("account", "link", "ada", "--json").json["url"]
        secrecy.keep(url.rsplit("/", 1)[1])
        return self.server.address + path_of(url)

    def days_pass(self, days: int) -> None:
        now = int(self.installation.clock.read_text())
        self.installation.set_clock(now + days * DAY)

    def events(self) -> list[dict]:
        """The tenant's events, oldest first."""
        words = ("token", "create", "--tenant", self.mart.tenant, "--scope", "events:read", "--json")
        token = secrecy.keep(self.installation.do(*words).json["token"])
        answer = self.server.client.get(
            f"/v1/{self.mart.tenant}/events?limit=1000", {"Authorization": f"Bearer {token}"})
        assert answer.status == 200, answer
        return answer["events"]
