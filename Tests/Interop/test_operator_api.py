"""The operator API does what its own description says, by the word of a library that reads OpenAPI."""

import json

import catalogs
import jsonschema
import pytest
import schemathesis
import secrecy
from hypothesis import HealthCheck, settings
from pathlib import Path
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from vendor import Vendor

SCOPES = [
    "licenses:read", "licenses:write", "activations:write", "events:read", "content:read", "content:write",
    "content:token"]
PACKAGE = Path(__file__).resolve().parents[2]


class Shop:
    """A tenant with a license and a device, and a token with every scope."""

    def __init__(self, installation, server):
        self.vendor = Vendor(installation, server)
        key = self.vendor.offer_license()
        self.instance = self.vendor.app().activate(key).json["instance_id"]
        self.license = installation.show(key)["id"]
        words = [word for scope in SCOPES for word in ("--scope", scope)]
        self.token = installation.do("token", "create", "--tenant", self.vendor.tenant, *words, "--json").json["token"]
        secrecy.keep(self.token)
        self.answered = set()

    def aim(self, case, call: int) -> dict:
        """Lets a call be about this tenant, and now and then about things that exist; the headers to send it with.

        A well-formed call names a product and a policy that exist, and an idempotency key that nobody has used: what
        is well-formed and refused for another reason than its form is no fault of the description. What schemathesis has
        damaged on purpose stays as it is, a token that it left out included.
        """
        named, damaged = case.path_parameters or {}, self.damaged(case)
        if "tenant" in named and ParameterLocation.PATH not in damaged:
            named["tenant"] = self.vendor.tenant
        if call % 2 == 0 and ParameterLocation.PATH not in damaged:
            for member, name in (("license", self.license), ("activation", self.instance)):
                if member in named:
                    named[member] = name
        for part, place in ((case.body, ParameterLocation.BODY), (case.query, ParameterLocation.QUERY)):
            if isinstance(part, dict) and place not in damaged:
                for member, name in (("product", "notes"), ("policy", "pro")):
                    if isinstance(part.get(member), str):
                        part[member] = name
        if "Idempotency-Key" in case.headers and ParameterLocation.HEADER not in damaged:
            case.headers["Idempotency-Key"] = f"{call}-{case.headers['Idempotency-Key']}"[:255]
        if ParameterLocation.HEADER in damaged and "Authorization" not in case.headers:
            return {}
        return {"Authorization": f"Bearer {self.token}"}

    def damaged(self, case) -> set:
        """The parts of a call that are not what the description asks for."""
        return {place for place, part in case.meta.components.items() if part.mode == GenerationMode.NEGATIVE}


@pytest.fixture(scope="module")
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server)


@pytest.fixture(scope="module")
def description(shared_server):
    return schemathesis.openapi.from_url(f"http://{shared_server.client.host}:{shared_server.client.port}/openapi.json")


schema = schemathesis.pytest.from_fixture("description")
calls = 0


@schema.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_every_call_keeps_its_description(case, shop):
    """Whatever is sent, the answer is one that the description names, in the shape that it names; what the description
    calls good is taken, what it calls bad is refused, and nobody gets in without a token. All of schemathesis' checks."""
    global calls
    calls += 1
    response = case.call_and_validate(headers=shop.aim(case, calls))
    shop.answered.add(response.status_code)


def test_calls_were_answered_with_more_than_refusals(shop):
    """A description that is kept by refusing everything would prove nothing."""
    assert {200, 201} & shop.answered
    assert {404, 422, 409} & shop.answered


def test_the_example_catalog_is_valid_by_the_published_schema():
    """The schema for tools and the program agree on the example, and on a mistake in it."""
    published = json.loads((PACKAGE / "Documentation/catalog.schema.json").read_text())
    example = json.loads((PACKAGE / "Examples/catalog.json").read_text())
    jsonschema.Draft202012Validator.check_schema(published)
    jsonschema.validate(example, published)
    example["tenants"][0]["products"][0]["policies"][0]["entitlements"] = ["a,b"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(example, published)
