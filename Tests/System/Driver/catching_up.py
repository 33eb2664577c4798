"""A shop at Stripe whose server reads the list of events while the test moves the clock."""

import email
import email.policy
import re
from datetime import UTC, datetime

import catalogs
import pytest
import secrecy
from stripe_shop import StripeAPI, StripeShop
from waiting import eventually

ADDRESS = "ada@shop.example"
HOUR = 3_600
KEY = re.compile(r"[A-Z0-9]+(?:-[0-9A-Z]{4}){4}")


@pytest.fixture
def api():
    with StripeAPI() as api:
        yield api


@pytest.fixture
def shop(installation, api) -> StripeShop:
    installation.moves_time()
    shop = StripeShop(installation, catalogs.fresh("shop"))
    (installation.home / "api.key").write_text(secrecy.keep("rk_test_of_the_shop"))
    apply(shop, api)
    return shop


def apply(shop: StripeShop, api: StripeAPI, **members) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
    items = [{"item": "price_pro", "product": "notes", "policy": "pro"},
             {"item": "price_month", "product": "notes", "policy": "monthly"}]
    source = shop.member(apiKeyFile="api.key", apiURL=api.url, items=items) | members
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [source]}
    shop.installation.apply(catalog)


def serving(shop: StripeShop, api: StripeAPI):
    return shop.installation.serving(
        "--mail-folder", str(shop.installation.home / "letters"), "--egress-allow", api.host)


def later(shop: StripeShop, seconds: int) -> None:
    shop.installation.set_clock(shop.installation.offset + seconds)


def settled(shop: StripeShop, count: int) -> list[dict]:
    """Waits until this many messages are stored and carried out."""
    return eventually(
        shop.messages, lambda messages: len(messages) == count and "waiting" not in {each["state"] for each in messages})


def letters(shop: StripeShop) -> dict[str, list[str]]:
    """The license keys in each letter so far, by its `Message-ID`, because a mailbox shows a repeated letter once."""
    folder = shop.installation.home / "letters"
    files = sorted(folder.iterdir()) if folder.exists() else []
    found = [email.message_from_bytes(file.read_bytes(), policy=email.policy.SMTP) for file in files]
    return {letter["Message-ID"]: [word for word in letter.get_content().split() if KEY.fullmatch(word)] for letter in found}


def licenses(shop: StripeShop) -> list[dict]:
    """The licenses that aren't suspended, by their ids."""
    return sorted((each for each in shop.licenses() if each["state"] != "suspended"), key=lambda each: each["id"])


def jobs(shop: StripeShop) -> list[dict]:
    """The tenant's jobs that read the list of events, at most one."""
    found = shop.installation.do("job", "list", "--kind", "selling.catch_up", "--json").json["jobs"]
    return [each for each in found if each["tenant"] == shop.tenant]


def job(shop: StripeShop) -> dict:
    (found,) = jobs(shop)
    return found


def at(seconds: int, like: str | None = None) -> str:
    """Converts POSIX seconds to an RFC 3339 date; returns `like` instead if that date is at most a minute later."""
    if like and 0 <= datetime.fromisoformat(like).timestamp() - seconds <= 60:
        return like
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def caught_up(shop: StripeShop) -> None:
    """Waits until the list has been read to its end."""
    eventually(
        lambda: job(shop),
        lambda job: (job["state"], job["failure"]) == ("waiting", None) and job["dueAt"] > at(shop.now))
