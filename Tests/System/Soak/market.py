"""Apps outside the App Store: licenses on devices, renewals in batches, revocations, and sign-ins."""

import copy
import secrets

import secrecy
from loads import Door, Load
from mart import Mart
from phone import Phone
from signed_market import SignedMarket
from signing_in import AppSigningIn

# The server counts the requests of each device for an hour, so many new ones would look like a leak.
NEW_DEVICE = 0.03
# With fewer licenses, one device would send more requests than the server allows it.
LEAST = 40


class AppLicenses(Load):
    """Devices that install the apps of an open marketplace and renew their licenses."""

    name = "app licenses"
    pause = 0.2

    def __init__(self, site, number, seed, mart: Mart, token: str):
        super().__init__(site, number, seed)
        self.mart = copy.copy(mart)
        self.mart.server = Door(self.client)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.licensed: dict[str, Phone] = {}
        self.revoked: dict[str, Phone] = {}

    def step(self) -> None:
        act = self.chance.random()
        if act < NEW_DEVICE or len(self.licensed) < LEAST:
            self._install()
        elif act < 0.98:
            id = self.chance.choice(list(self.licensed))
            self._renew(self.licensed[id], self._all_of(self.licensed[id]), "app license batch")
            self._renew(self.licensed[id], [id], "app license renewal")
        else:
            self._revoke(self.chance.choice(list(self.licensed)))

    def _install(self) -> None:
        phone, number = self.mart.phone(), secrets.randbits(62)
        # The same request number gets the same licenses, so the request may be repeated.
        answer = self.insist("app license", lambda: phone.ask(self.mart.apps, number))
        self.claim(answer.status == 200 and answer["unlicensedApps"] == [], f"app licenses: {answer}")
        for license in self.insist("app license", lambda: phone.read(answer))["licenses"]:
            self.licensed[license["licenseID"]] = phone

    def _all_of(self, phone: Phone) -> list[str]:
        return [id for id, owner in (self.licensed | self.revoked).items() if owner is phone]

    def _renew(self, phone: Phone, ids: list[str], kind: str) -> None:
        answer = self.insist(kind, lambda: phone.renew(*ids))
        body = self.insist(kind, lambda: phone.read(answer))
        got, refused = {one["licenseID"] for one in body["licenses"]}, set(answer["ineligibleLicenses"])
        self.claim(got == {id for id in ids if id in self.licensed}, f"LOST: app licenses {ids}: {got} renewed")
        self.claim(refused == {id for id in ids if id in self.revoked}, f"LOST: app licenses {ids}: {refused} refused")

    def _revoke(self, id: str) -> None:
        output = self.site.installation.run("license", "revoke", id, "--tenant", self.mart.tenant)
        self.counts["app license revocation", "answered" if output.code == 0 else "unavailable"] += 1
        if output.code == 0:
            self.revoked[id] = self.licensed.pop(id)
            return
        # A failed revocation may have been stored; the next renewal shows whether it was.
        phone = self.licensed[id]
        answer = self.insist("app license renewal", lambda: phone.renew(id))
        if answer["ineligibleLicenses"] == [id]:
            self.revoked[id] = self.licensed.pop(id)

    def verify(self, most: int | None = None) -> int:
        of_phones: dict[Phone, list[str]] = {}
        for id, phone in (self.licensed | self.revoked).items():
            of_phones.setdefault(phone, []).append(id)
        chosen = self.sampled(list(of_phones), most)
        for phone in chosen:
            self._renew(phone, of_phones[phone], "verification")
        return sum(len(of_phones[phone]) for phone in chosen)


class SignIns(Load):
    """A user who signs in, refreshes the tokens, and signs in again when a chain of refreshes has ended."""

    name = "sign-ins"
    pause = 1.0

    def __init__(self, site, number, seed, market: SignedMarket):
        super().__init__(site, number, seed)
        self.market = copy.copy(market)
        self.market.server = Door(self.client)
        self.app: AppSigningIn | None = None
        self.tokens: dict | None = None

    def step(self) -> None:
        if self.tokens is None or self.chance.random() < 0.1:
            app = AppSigningIn(self.client, self.market.tenant)
            self.tokens, self.app = None, app
            self.tokens = self.attempt("sign-in", app.signed_in)
        else:
            before, self.tokens = self.tokens, None
            answer = self.attempt("token refresh", lambda: self.app.refresh(before["refresh_token"]))
            self.claim(answer.status == 200, f"LOST: a refresh token: {answer}")
            self.tokens = answer.json
        self._opens("token use")

    def _opens(self, kind: str) -> None:
        token = secrecy.keep(self.tokens["access_token"])
        status = self.insist(kind, lambda: self.market.opens(token))
        self.claim(status == 200, f"LOST: an access token: {status}")

    def verify(self, most: int | None = None) -> int:
        if self.tokens is None:
            return 0
        self._opens("verification")
        return 1
