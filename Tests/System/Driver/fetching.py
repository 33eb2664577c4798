"""A marketplace that has its packages fetched, and how far they are."""

from waiting import eventually

SECRET = "a secret of the webhook"


def connect(shop, apple, *options):
    return shop.installation.run(
        "marketplace", "connect", "--tenant", shop.tenant, "--issuer-id", apple.issuer, "--key-id", apple.key_id,
        "--key-file", str(apple.key_file), "--url", apple.url, *options)


def fetch(shop, version, *options):
    output = shop.installation.do(
        "marketplace", "ingest", "--package-version", version.id, "--package-id", version.parent, "--tenant", shop.tenant,
        "--json", *options)
    assert output.json["changed"], output


def standing(shop) -> list[tuple]:
    return [(one["state"], one["cause"]) for one in shop.packages()]


def comes_to(shop, *states, seconds: float = 40):
    """Waits until the packages stand so, and answers them."""
    seen = eventually(
        lambda: shop.packages(),
        lambda seen: [(one["state"], one["cause"]) for one in seen] == list(states), seconds)
    return seen


def is_served(shop, package) -> bool:
    return all(shop.get(package, path).body == data for path, data in package.files.items())


def is_not_served(shop, package) -> bool:
    return all(shop.get(package, path).status in (404, 503) for path in package.files)
