"""Lets a marketplace fetch its packages, and waits for their states."""

from waiting import eventually

SECRET = "a secret of the webhook"
# The first wait between two attempts is 5 seconds, the second 30.
RETRY_STEP = 10


def connect(shop, apple, *options):
    return shop.installation.run(
        "marketplace", "connect", "--tenant", shop.tenant, "--issuer-id", apple.issuer, "--key-id", apple.key_id,
        "--key-file", str(apple.key_file), "--url", apple.url, *options)


def fetch(shop, version, *options):
    output = shop.installation.do(
        "marketplace", "ingest", "--package-version", version.id, "--package-id", version.parent, "--tenant", shop.tenant,
        "--json", *options)
    assert output.json["changed"], output


def standing(packages) -> list[tuple]:
    return [(one["state"], one["cause"]) for one in packages]


def comes_to(shop, *states, seconds: float = 40):
    """Waits until the packages have these states and causes, and returns them.

    If the test controls the clock, the clock moves forward while a package waits for a retry, so retries come soon.
    """
    def read():
        seen = shop.packages()
        may_retry = any(one["state"] in ("waiting", "held") for one in seen)
        if shop.installation.clock and may_retry and standing(seen) != list(states):
            shop.installation.set_clock(shop.installation.offset + RETRY_STEP)
        return seen

    return eventually(read, lambda seen: standing(seen) == list(states), seconds)


def is_served(shop, package) -> bool:
    return all(shop.get(package, path).body == data for path, data in package.files.items())


def is_not_served(shop, package) -> bool:
    return all(shop.get(package, path).status in (404, 503) for path in package.files)
