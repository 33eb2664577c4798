"""Tests the operator API against its own OpenAPI description with schemathesis."""

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
from school import School, item, rule
from vendor import Vendor

ENGINES = ("sqlite",)

SCOPES = [
    "licenses:read", "licenses:write", "activations:write", "events:read", "content:read", "content:write",
    "content:token", "accounts:read", "links:write"]
PACKAGE = Path(__file__).resolve().parents[3]


class Shop:
    """A tenant with a license and a device, and an operator token with the scopes in `SCOPES`."""

    def __init__(self, installation, server):
        self.vendor = Vendor(installation, server)
        key = self.vendor.offer_license()
        installation.apply({"tenants": [{"id": self.vendor.tenant, "mail": {"from": "keys@acme.example"}}]})
        self.instance = self.vendor.app().activate(key).json["instance_id"]
        self.license = installation.show(key)["id"]
        words = [word for scope in SCOPES for word in ("--scope", scope)]
        self.token = installation.do("token", "create", "--tenant", self.vendor.tenant, *words, "--json").json["token"]
        secrecy.keep(self.token)
        # The tenant also offers content, and a holder has a license for an item on a device.
        self.school = School(self.vendor, rule("pro", deviceLimit=None), items=[item("mck-1", "pro")], courses=[])
        self.school.enrol(content="mck-1")
        self.tablet = self.school.tablet()
        self.content = self.tablet.has("mck-1")["license"]
        self.answered, self.answered_devices = set(), set()

    def aim(self, case, call: int) -> dict:
        """Inserts this tenant into a call, and ids of existing records into every second call; returns the headers to send.

        A well-formed call names an existing product and policy, and an unused idempotency key. Otherwise, the server
        would refuse it for a reason that no schema describes. Parts that schemathesis made invalid on purpose stay
        unchanged, including a missing token.
        """
        named, damaged = case.path_parameters or {}, self.damaged(case)
        if "tenant" in named and ParameterLocation.PATH not in damaged:
            named["tenant"] = self.vendor.tenant
        if call % 2 == 0 and ParameterLocation.PATH not in damaged:
            for member, name in (("license", self.license), ("activation", self.instance)):
                if member in named:
                    named[member] = self.content if self.is_of_device(case) else name
        if isinstance(case.query, dict) and ParameterLocation.QUERY not in damaged:
            self.ask_for_what_there_is(case)
        for part, place in ((case.body, ParameterLocation.BODY), (case.query, ParameterLocation.QUERY)):
            if isinstance(part, dict) and place not in damaged:
                for member, name in (("product", "notes"), ("policy", "pro")):
                    if isinstance(part.get(member), str):
                        part[member] = name
                # Regular expression dialects differ in how they match invisible characters beyond U+FFFF.
                for member in ("email", "holderEmail"):
                    if isinstance(part.get(member), str) and any(ord(letter) > 0xFFFF for letter in part[member]):
                        part[member] = "ada@example.com"
                if isinstance(part.get("requestId"), str):
                    part["requestId"] = f"{call:08}-{part['requestId']}"[:64]
                # A schema can't require that one date is later than another.
                if all(isinstance(part.get(moment), (int, float)) for moment in ("startsAt", "endsAt")):
                    part["startsAt"] = None
                # Nor does a schema of the description state which members exclude or require each other.
                if place == ParameterLocation.BODY:
                    self.choose_one(case.operation.path, part)
                if "expiresAt" in part:
                    part.pop("keepEnd", None)
                if case.operation.path.endswith("/end") and "endsAt" in part:
                    part.pop("licenses", None)
                # A letter needs an address.
                if part.get("mail") is True:
                    part["holderEmail"] = "ada@shop.example"
                if case.operation.path.endswith("/rekey"):
                    part.pop("mail", None)
                    part.pop("holderEmail", None)
                if part.get("keepDevices") is not True:
                    part.pop("activatedBefore", None)
        if "Idempotency-Key" in case.headers and ParameterLocation.HEADER not in damaged:
            case.headers["Idempotency-Key"] = f"{call}-{case.headers['Idempotency-Key']}"[:255]
        if ParameterLocation.HEADER in damaged and "Authorization" not in case.headers:
            return {}
        return {"Authorization": f"Bearer {self.tablet.token if self.is_of_device(case) else self.token}"}

    def choose_one(self, path: str, body: dict) -> None:
        """Keeps, or adds, exactly one of two members that the description's text calls alternatives."""
        for end, one, other, value in (
                ("/licenses/find", "licenseKey", "text", "ada"), ("/v1/enrolments", "course", "content", "mck-1"),
                ("/extend", "days", "endsAt", 7), ("/renew", "days", "until", 7)):
            if path.endswith(end) and "{device}" not in path:
                if body.get(one) is not None:
                    body.pop(other, None)
                elif body.get(other) is None:
                    body.pop(other, None)
                    body[one] = value

    def is_of_device(self, case) -> bool:
        """Whether the description allows this call only to holders' devices."""
        return case.operation.definition.raw.get("security") == [{"holderToken": []}]

    def ask_for_what_there_is(self, case) -> None:
        """Removes filters that the server refuses: those with unknown names, and those of another kind of license."""
        path, query = case.operation.path, case.query
        of_products = {"product", "policy", "holder", "holderEmail", "order", "expiresBefore", "expiresAfter"}
        others = of_products if query.get("kind") == "app" else {"account", "item", "replaced"}
        strange = {
            "/v1/{tenant}/licenses": others, "/v1/{tenant}/events": {"account", "enrolment", "contentLicense"},
            "/v1/{tenant}/trials": {"after"}}
        for member in strange.get(path, ()):
            query.pop(member, None)
        if path == "/v1/{tenant}/events" and "license" in query:
            query["license"] = self.license

    def damaged(self, case) -> set:
        """The parts of a call that schemathesis made invalid on purpose."""
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
def test_the_responses_to_generated_requests_match_the_openapi_document(case, shop):
    """Runs all checks of schemathesis.

    Every response must match the description. The server must accept valid calls, and refuse invalid ones and calls
    without a token.
    """
    global calls
    calls += 1
    response = case.call_and_validate(headers=shop.aim(case, calls))
    (shop.answered_devices if shop.is_of_device(case) else shop.answered).add(response.status_code)


def test_the_generated_requests_get_both_successes_and_refusals(shop):
    """A server that refuses everything would also match the description, so some calls must succeed."""
    assert {200, 201} & shop.answered
    assert {404, 422, 409} & shop.answered
    assert {200, 404, 422} <= shop.answered_devices


def test_the_openapi_document_contains_the_requests_of_devices_and_the_tokens_that_they_require(description):
    """The description must contain each request of a device, with the kind of token that it requires."""
    paths, base = description.raw_schema["paths"], "/content/{tenant}/v1"

    def takes(method: str, path: str) -> list:
        security = paths[base + path][method].get("security", description.raw_schema["security"])
        return [name for one in security for name in one]

    for method, path in (
            ("get", "/contents"), ("post", "/licenses"), ("post", "/renewals"), ("post", "/usage"),
            ("post", "/licenses/{license}/return")):
        assert takes(method, path) == ["holderToken"], path
        assert paths[base + path][method]["responses"]["200"]["content"]["application/json"]["schema"]
    for path in ("/time", "/keys"):
        assert takes("get", path) == []
    for method, path in (
            ("get", "/licenses"), ("get", "/licenses/{license}"), ("get", "/licenses/{license}/explain"),
            ("get", "/devices"), ("post", "/devices/{device}/release"), ("get", "/enrolments"),
            ("get", "/enrolments/{enrolment}")):
        assert takes(method, path) == ["token", "holderToken"], path
    assert takes("post", "/holders/token") == ["token"]
    assert {"token", "holderToken"} == set(description.raw_schema["components"]["securitySchemes"])


@pytest.mark.parametrize(("path", "bodies"), [
    ("/enrolments", [
        ({"holder": "a"}, False), ({"holder": "a", "course": "c"}, True), ({"holder": "a", "content": "c"}, True),
        ({"holder": "a", "course": "c", "content": None}, True), ({"holder": "a", "course": None}, False),
        ({"holder": "a", "course": "c", "content": "d"}, False)]),
    ("/enrolments/{enrolment}/extend", [
        ({}, False), ({"days": 3}, True), ({"endsAt": 2_000_000_000}, True), ({"days": 3, "endsAt": 2}, False),
        ({"days": None}, False), ({"days": 3, "endsAt": None}, True)]),
    ("/devices/{device}/release", [({}, False), ({"holder": "a"}, True), ({"holder": None}, False)]),
])
def test_the_openapi_document_and_the_server_require_the_same_members_of_three_request_bodies(
        description, shop, path, bodies):
    """A body's schema must be a plain object, and say so in its text if the server requires exactly one of two members."""
    described = description.raw_schema["paths"]["/content/{tenant}/v1" + path]["post"]["requestBody"]
    assert described["required"] is True
    schema = described["content"]["application/json"]["schema"]
    assert not {"oneOf", "anyOf", "allOf", "not"} & schema.keys()
    target = path.replace("{enrolment}", "enr_0000000000001").replace("{device}", "0" * 64)
    for body, is_good in bodies:
        if is_good:
            jsonschema.validate(body, schema)
        elif jsonschema.Draft202012Validator(schema).is_valid(body):
            assert schema["description"].startswith("Send exactly one of"), body
        answer = shop.vendor.server.client.post(
            f"/content/{shop.vendor.tenant}/v1{target}", body, {"Authorization": f"Bearer {shop.token}"})
        # A valid body names a record that doesn't exist, so the server may answer 404.
        assert (answer.status in (404, 201)) == is_good and (answer.status == 422) == (not is_good), (body, answer)


def test_an_operators_request_for_the_list_of_content_devices_must_name_a_holder(description, shop):
    described = description.raw_schema["paths"]["/content/{tenant}/v1/devices"]["get"]["parameters"]
    assert [one["required"] for one in described if one["name"] == "holder"] == [True]
    bearer = {"Authorization": f"Bearer {shop.token}"}
    base = f"/content/{shop.vendor.tenant}/v1/devices"
    assert shop.vendor.server.client.get(base, bearer).status == 422
    assert shop.vendor.server.client.get(f"{base}?holder=ada", bearer).status == 200
    assert shop.tablet.ask("GET", "/devices").status == 200, "a holder's own device leaves it out"


def test_the_example_catalog_is_valid_against_the_published_schema():
    """The published schema must accept the example and reject a mistake in it."""
    published = json.loads((PACKAGE / "Documentation/catalog.schema.json").read_text())
    example = json.loads((PACKAGE / "Examples/catalog.json").read_text())
    jsonschema.Draft202012Validator.check_schema(published)
    jsonschema.validate(example, published)
    example["tenants"][0]["products"][0]["policies"][0]["entitlements"] = ["a,b"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(example, published)


@pytest.mark.parametrize("tenant, is_valid", [
    ({"products": [{"id": "n", "policies": [{"id": "p", "duration": "P1Y"}]}]}, True),
    ({"products": [{"id": "n", "policies": [{"id": "p", "duration": "P0D"}]}]}, False),
    ({"content": {"kollus": None}}, True),
    ({"content": {"kollus": {"securityKey": "a", "customKey": "b"}}}, True),
    ({"content": {"kollus": {"customKey": "b"}}}, False),
    ({"content": {"kollus": {"securityKey": "a", "securityKeyFile": "f", "customKey": "b"}}}, False),
    ({"marketplace": {"domain": "m.example", "signInURL": "https://shop.example/in?x=1"}}, True),
    ({"marketplace": {"domain": "m.example", "signInURL": "http://127.0.0.1:80/in"}}, True),
    ({"marketplace": {"domain": "m.example", "signInURL": "http://shop.example/in"}}, False),
    ({"marketplace": {"domain": "m.example", "signInURL": "http://127.0.0.1:80@shop.example/in"}}, False),
])
def test_the_published_schema_accepts_valid_catalog_files_and_rejects_invalid_ones(tenant, is_valid):
    published = json.loads((PACKAGE / "Documentation/catalog.schema.json").read_text())
    found = list(jsonschema.Draft202012Validator(published).iter_errors({"tenants": [{"id": "acme"} | tenant]}))
    assert (not found) == is_valid, found
