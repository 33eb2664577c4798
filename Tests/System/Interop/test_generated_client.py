"""Generates a client from the OpenAPI description with a third-party generator, and calls each operation once."""

import importlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import secrecy
from test_operator_api import SCOPES, Shop
from school import request_id

ENGINES = ("sqlite",)
PACKAGE = Path(__file__).resolve().parents[3]
DESCRIPTION = json.loads((PACKAGE / "Documentation/openapi.json").read_text())
OPERATIONS = {
    operation["operationId"]: operation for methods in DESCRIPTION["paths"].values() for operation in methods.values()}
GENERATOR = Path(sys.executable).with_name("openapi-python-client")


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The generated client, imported as a Python package."""
    folder = tmp_path_factory.mktemp("generated")
    configuration = folder / "configuration.yaml"
    configuration.write_text("post_hooks: []\n")
    subprocess.run(
        [GENERATOR, "generate", "--path", PACKAGE / "Documentation/openapi.json", "--meta", "none", "--config",
         configuration, "--output-path", folder / "generated_client", "--fail-on-warning"],
        check=True, capture_output=True, text=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_client")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Caller:
    """Calls operations through the generated client, and records what it sends."""

    def __init__(self, shop: Shop, generated):
        self.shop, self.sent = shop, None
        address = f"http://{shop.vendor.server.client.host}:{shop.vendor.server.client.port}"
        hooks = {"event_hooks": {"request": [self._record]}}
        scopes = [*SCOPES, "accounts:write", "keys:read", "mails:read", "mails:write", "intake:read", "intake:write", "orders:read",
            "orders:write"]
        scopes = [word for scope in scopes for word in ("--scope", scope)]
        created = shop.vendor.installation.do("token", "create", "--tenant", shop.vendor.tenant, *scopes, "--json")
        self.vendor = generated.AuthenticatedClient(address, secrecy.keep(created.json["token"]), httpx_args=hooks)
        self.device = generated.AuthenticatedClient(address, shop.tablet.token, httpx_args=hooks)

    def _record(self, request) -> None:
        self.sent = json.loads(request.content) if request.content else None

    def call(self, name: str, body: dict | None = None, **parameters):
        """Returns the response; fails if a member of the body doesn't have a typed field, or isn't sent."""
        operation = OPERATIONS[name]
        module = importlib.import_module(f"generated_client.api.{operation['tags'][0]}.{snake(name)}")
        signature = inspect.signature(module.sync_detailed).parameters
        # The generator appends an underscore to names that Python uses, such as `license`.
        arguments = {
            name if name in signature else f"{name}_": value
            for name, value in ({"tenant": self.shop.vendor.tenant} | parameters).items()}
        if body is not None:
            model = signature["body"].annotation
            model = next(kind for kind in getattr(model, "__args__", [model]) if hasattr(kind, "from_dict"))
            arguments["body"] = model.from_dict(body)
            assert not getattr(arguments["body"], "additional_properties", {}), f"{name}: no field for these members"
        is_of_device = operation.get("security") == [{"holderToken": []}]
        response = module.sync_detailed(client=self.device if is_of_device else self.vendor, **arguments)
        if body is not None:
            assert self.sent == body, name
        return response


def calls(shop: Shop, license, content) -> list[tuple]:
    """Each operation with its parameters and a body; `license()` and `content()` return the id of a new license."""
    day, far = "2031-01-01T00:00:00+00:00", 1_924_992_000
    stated, named = {"reason": "refund", "tell": False}, {"product": "notes", "policy": "pro"}
    app, account = {"account": "ada", "item": "6483539426"}, {"account": "ada"}
    device, kept = {"device": shop.tablet.device}, {"license": shop.content}
    enrolment = lambda **members: {"enrolment": shop.school.enrol(content="mck-1", **members)["id"]}
    play = {
        "license": shop.content, "version": 1, "session": "0b2c7f5e-9d07-4c5e-8e0f-5a2d1b3c4d5e", "sequence": 1,
        "startedAt": 1_795_000_000, "playSeconds": 60, "counted": True, "ended": True}
    trial = {"device": "0" * 64}
    vendor = shop.vendor
    vendor.installation.apply({"tenants": [{"id": vendor.tenant, "products": [{"id": "notes", "showKeys": True}]}]})
    mailed = vendor.installation.issue(vendor.tenant, "notes", "pro", "--holder-email", "ada@shop.example", "--mail")
    [letter] = vendor.installation.do("mail", "list", "--tenant", vendor.tenant, "--json").json["mails"]
    return [
        ("issueLicenses", {}, named | {
            "holder": "ada", "order": "order-1", "activationLimit": 2, "expiresAt": day, "count": 2}),
        ("listLicenses", {"product": "notes", "limit": 5}, None),
        ("findLicenses", {}, {"text": "ada"}),
        ("getLicense", {"license": license()}, None),
        ("explainLicense", {"license": license()}, None),
        ("listActivations", {"license": shop.license}, None),
        ("renewLicense", {"license": license()}, {"until": day}),
        ("suspendLicense", {"license": shop.license}, stated),
        ("reinstateLicense", {"license": shop.license}, {}),
        ("revokeLicense", {"license": license()}, stated),
        ("returnLicense", {"license": license()}, {}),
        ("changeLicense", {"license": license()}, {
            "policy": "pro", "holder": "ida", "order": None, "activationLimit": 3, "expiresAt": day}),
        ("rekeyLicense", {"license": license()}, {"keepDevices": True, "activatedBefore": "2026-01-01T00:00:00+00:00"}),
        ("transferLicense", {"license": license()}, {"holder": "eve"}),
        ("releaseActivation", {"activation": shop.instance}, stated),
        ("forgiveDevices", {"license": shop.license}, {}),
        ("makeLicenseLink", {"license": shop.license}, {"hours": 2}),
        ("listLicenseLinks", {"license": shop.license}, None),
        ("endLicenseLinks", {"license": shop.license}, {}),
        ("listTrials", {"product": "notes"}, None),
        ("extendTrial", trial, {"product": "notes", "days": 7}),
        ("resetTrial", trial, {"product": "notes", "reason": "asked"}),
        ("putAccount", account, {"email": "ada@example.com"}),
        ("listAccounts", {}, None),
        ("getAccount", account, None),
        ("grantApp", app, {"expiresAt": day, "again": False}),
        ("endAppGrant", app, None),
        ("makeHandoff", account, None),
        ("endSignIn", account, {"state": "unknown"}),
        ("deleteAccount", account, None),
        ("addEnrolment", {}, {
            "content": "mck-1", "startsAt": None, "endsAt": far, "holder": "ida", "policy": "pro", "reference": "sale-1"}),
        ("listEnrolments", {"holder": "ida"}, None),
        ("importEnrolments", {}, {"rows": [{"holder": "eve", "reference": "sale-2", "content": "mck-1"}]}),
        ("getEnrolment", enrolment(), None),
        ("endEnrolment", enrolment(), {"licenses": "keep"}),
        ("pauseEnrolment", enrolment(holder="p1"), {}),
        ("resumeEnrolment", enrolment(holder="p2"), {}),
        ("extendEnrolment", enrolment(holder="p3", endsAt=far), {"days": 30}),
        ("makeHolderToken", {}, {"holder": "ida", "device": "a" * 64, "name": "Tablet", "hours": 2}),
        ("makeHolderLink", {}, {"holder": "ida", "hours": 2}),
        ("endHolderTokens", {}, {"holder": "ida", "device": "a" * 64}),
        ("listContents", {"limit": 5}, None),
        ("getContent", {}, {"requestId": request_id(), "content": "mck-1"}),
        ("listContentLicenses", {"holder": "ada"}, None),
        ("renewContents", {}, {
            "requestId": request_id(), "when": "always", "items": [{"license": shop.content, "version": 1}],
            "usage": [play]}),
        ("reportUsage", {}, {"requestId": request_id(), "usage": [play]}),
        ("getContentLicense", kept, None),
        ("explainContentLicense", kept, None),
        ("resetContentLicense", kept, {"reason": "asked"}),
        ("expireContentLicense", kept, {"reason": "asked"}),
        ("revokeContentLicense", {"license": content()}, {"reason": "asked"}),
        ("deleteContentLicense", {"license": content()}, {"reason": "asked"}),
        ("returnContent", kept, {"requestId": request_id()}),
        ("listContentDevices", {"holder": "ada"}, None),
        ("releaseContentDevice", device, {"holder": "ada"}),
        ("getContentTime", {"nonce": "n" * 16}, None),
        ("getContentKeys", {}, None),
        ("makeKollusToken", {}, {"holder": "ada", "contents": ["mck-1"], "seconds": 60, "download": True}),
        ("makeDoveRunnerToken", {}, {"holder": "ada", "content": "mck-1", "drm": "Widevine"}),
        ("makeAxinomToken", {}, {
            "holder": "ada", "content": "mck-1", "keyIds": ["0b2c7f5e-9d07-4c5e-8e0f-5a2d1b3c4d5e"]}),
        ("listEvents", {"limit": 5}, None),
        ("sendLicenseKey", {"license": mailed["id"]}, {}),
        ("showLicenseKey", {"license": mailed["id"]}, {}),
        ("listMails", {"limit": 5}, None),
        ("retryMail", {"mail": letter["id"]}, None),
        ("bounceMail", {}, {"to": "eve@shop.example"}),
        ("listMessages", {"limit": 5}, None),
        ("showMessage", {"message": "msg_0000000000001"}, None),
        ("retryMessage", {"message": "msg_0000000000001"}, {"issue": True}),
        ("dismissMessage", {"message": "msg_0000000000001"}, None),
        ("listOrders", {"limit": 5}, None),
        ("showOrder", {"order": "ord_0000000000001"}, None),
        ("joinOrder", {}, {"reference": "sub_1", "license": "lic_0000000000001"}),
    ]


# These calls get 404, because the tenant has no trial, no marketplace, no keys of other vendors' services, no letter that
# was sent, and no source of payments.
NOT_FOUND = {
    "extendTrial", "resetTrial", "putAccount", "getAccount", "deleteAccount", "grantApp", "endAppGrant", "makeHandoff",
    "endSignIn", "makeKollusToken", "makeDoveRunnerToken", "makeAxinomToken", "bounceMail",
    "showMessage", "retryMessage", "dismissMessage", "showOrder", "joinOrder"}


def test_each_operation_of_the_openapi_document_can_be_called_with_a_generated_client(shop, generated):
    caller, answered = Caller(shop, generated), set()
    issued = caller.call("issueLicenses", {
        "product": "notes", "policy": "pro", "expiresAt": "2030-01-01T00:00:00+00:00", "count": 10}).parsed.licenses
    licenses, numbers = iter(issued), iter(range(10))

    def content() -> str:
        holder = f"learner-{next(numbers)}"
        shop.school.enrol(holder=holder, content="mck-1")
        return shop.school.tablet(holder).has("mck-1")["license"]

    for name, parameters, body in calls(shop, lambda: next(licenses).id, content):
        response = caller.call(name, body, **parameters)
        assert int(response.status_code) in ({404} if name in NOT_FOUND else {200, 201, 202, 204}), (name, response.content)
        assert response.status_code == 204 or response.parsed is not None, name
        answered.add(name)
    assert answered == OPERATIONS.keys(), "each operation of the description is called"
