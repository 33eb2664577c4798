"""Catalogs for tests: each test has a tenant of its own, so that tests share a server and nothing else."""

import itertools
import uuid

import secrecy

_numbers = itertools.count(1)


def fresh(word: str = "t") -> str:
    """A name that nobody had before."""
    return f"{word}{next(_numbers)}"


def fresh_key(prefix: str = "NOTE") -> str:
    """A key as another system might have made it."""
    return secrecy.keep(f"{prefix}-{uuid.uuid4().hex.upper()}")


def policy(id: str = "pro", **members) -> dict:
    return {"id": id, "activationLimit": 3, "entitlements": ["sync", "export"]} | members


def license(key: str, policy: str = "pro", **members) -> dict:
    return {"key": key, "policy": policy} | members


def product(id: str = "notes", policies: list | None = None, licenses: list | None = None, **members) -> dict:
    return {"id": id, "policies": policies or [policy()], "licenses": licenses or []} | members


def catalog(tenant: str, *products: dict) -> dict:
    return {"tenants": [{"id": tenant, "products": list(products) or [product()]}]}
