"""The faults of a marketplace. Each fault has the name of the check that detects it.

A fault is a table of functions by name. Each changes the value that `independent_mart.py` passes under that name.
"""

import json
import time
from dataclasses import replace

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from independent_mart import ACCOUNT, BYTES, ITEM, OLD, VERSION, Reply, certificate, text64

UNKNOWN = "9007199254740997"
HOME = "https://mart.example"


def changed(**members):
    """Sets members of a document; None removes a member."""
    def bend(document, *_):
        return {name: value for name, value in (document | members).items() if value is not None}
    return bend


def inside(name: str, **members):
    """Sets members of a nested document; None removes a member."""
    return lambda document, *_: document | {name: changed(**members)(document[name])}


def status(code: int):
    return lambda reply, *_: replace(reply, status=code)


def fields(**more):
    """Sets header fields; None removes a field."""
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return lambda reply, *_: replace(reply, fields=reply.fields | named)


def body(make):
    return lambda reply, *_: replace(reply, body=make(reply.body))


def unless_json(bend):
    """Changes only the response to a body that isn't JSON."""
    return lambda reply, ask: reply if ask.body.startswith(b"{") else bend(reply, ask)


def elsewhere(reply, *_):
    return Reply(302, b"", {"Location": HOME + "/other"})


def only(method: str, bend):
    return lambda reply, ask: bend(reply, ask) if ask.method == method else reply


def whole(configuration: dict) -> dict:
    return {name: value for name, value in configuration.items() if name != "overridesByAppleItemID"}


# The configuration and other files

def of_file(prefix: str, reply: str) -> dict:
    """The faults that any file can have."""
    return {
        prefix + "redirect": {reply: elsewhere}, prefix + "status": {reply: status(500)}}


def of_json(prefix: str, reply: str) -> dict:
    """The faults that any JSON file can have."""
    return {
        prefix + "bom": {reply: body(lambda text: b"\xef\xbb\xbf" + text)},
        prefix + "json": {reply: body(lambda _: b"[1]")},
        prefix + "duplicate_member": {reply: body(lambda text: b'{"x": 1, "x": 2, ' + text[1:])}}


KIT, METADATA = "reply /.well-known/marketplace-kit", "reply /.well-known/oauth-authorization-server"

CONFIG = of_file("config.", KIT) | of_json("config.", KIT) | {
    "config.content_type": {KIT: fields(Content_Type="text/html")},
    "config.missing": {"configuration": changed(restore=None)},
    "config.type": {"configuration": changed(restore=5)},
    "config.url": {"configuration": inside("license", licenseRenewalURL="/license/renew")},
    "config.https": {"configuration": changed(restore="http://mart.example/restore")},
    "config.url_user": {"configuration": inside("license", licenseResolutionURL="https://me@mart.example/resolve")},
    "config.url_fragment": {"configuration": inside("license", licenseResolutionURL=HOME + "/resolve#x")},
    "config.polling_number": {"configuration": inside("updates", pollingInterval=0)},
    "config.polling_seconds": {"configuration": inside("updates", pollingInterval=86_400)},
    "config.polling_long": {"configuration": inside("updates", pollingInterval=200)},
    "config.override_name": {"configuration": lambda kit: kit | {"overridesByAppleItemID": {"x": whole(kit)}}},
    "config.override_partial": {
        "configuration": lambda kit: kit | {"overridesByAppleItemID": {"9": {"restore": HOME + "/restore"}}}},
    "config.override_nested": {
        "configuration": lambda kit: kit | {
            "overridesByAppleItemID": {"9": whole(kit) | {"overridesByAppleItemID": {}}}}},
    "config.unknown_member": {"configuration": changed(serach=HOME + "/search")},
    "config.no_resolution": {"configuration": inside("license", licenseResolutionURL=None)},
}

PEM = body(lambda der: x509.load_der_x509_certificate(der).public_bytes(serialization.Encoding.PEM))
CERTIFICATE = {"certificate.shared": {"certificate name": lambda _: "encryption",
                                      "configuration": inside("license", signingCertificateURL=HOME + "/encryption.cer")}}
for kind in ("signing", "encryption"):
    route, prefix = f"reply /{kind}.cer", f"certificate.{kind}_"
    CERTIFICATE |= of_file(prefix, route) | {
        prefix + "readable": {route: body(lambda _: b"no certificate")}, prefix + "der": {route: PEM},
        prefix + "bits": {"certificate " + kind: lambda _, kind=kind: certificate(kind, 2048)},
        prefix + "dates": {"certificate " + kind: lambda _, kind=kind: certificate(kind, 3072, -30)}}

TRANSPORT = {
    "transport.answers": {"reply nothing": lambda *_: None},
    "transport.coding": {"reply nothing": fields(Content_Encoding="gzip")},
    "transport.head": {KIT: only("HEAD", status(405))},
    "transport.unknown_path": {"reply nothing": status(200)},
}

# Signing in

OAUTH = of_file("oauth.", METADATA) | of_json("oauth.", METADATA) | {
    "oauth.content_type": {METADATA: fields(Content_Type="text/plain")},
    "oauth.missing": {"metadata": changed(issuer=None)},
    "oauth.type": {"metadata": changed(issuer=5)},
    "oauth.https": {"metadata": changed(issuer="http://mart.example")},
    "oauth.s256": {"metadata": changed(code_challenge_methods_supported=["5256"])},
    "oauth.plain": {"metadata": changed(code_challenge_methods_supported=["S256", "plain"])},
    "oauth.code_response": {"metadata": changed(response_types_supported=["token"])},
    "oauth.code_grant": {"metadata": changed(grant_types_supported=["refresh_token"])},
    "oauth.challenge_required": {"challenge": lambda refuses, method: refuses and method is not None},
    "oauth.plain_refused": {"challenge": lambda refuses, method: refuses and method != "plain"},
    "oauth.error_status": {"unknown code": lambda _: 500},
    "oauth.error_json": {
        "reply /token": lambda reply, _: Reply(400, b"<p>No.</p>", reply.fields) if reply.status == 400 else reply},
    "oauth.state": {"handed over": changed(state=None)},
    "oauth.token": {"tokens": changed(token_type="mac")},
    "oauth.token_end": {"tokens": changed(expires_in=None)},
    "oauth.token_cacheable": {"reply /token": fields(Cache_Control=None)},
    "oauth.wrong_verifier": {"verified": lambda *_: True},
    "oauth.code_twice": {"keeps codes": lambda *_: True},
    "oauth.refresh_reuse": {"was refreshed": lambda *_: False},
}


# Offers

def first(bend):
    """Changes only the response to a well-formed request: for the app, on a current system version."""
    def judged(value, question, *about):
        if isinstance(question, dict):
            asked = question
        elif question.body.startswith(b"{") and question.fields.get("authorization", "").endswith(ACCOUNT):
            asked = json.loads(question.body)
        else:
            return value
        items = [app["appleItemId"] for app in asked["apps"]]
        good = items == [ITEM] and asked["osVersion"] == "26.0"
        return bend(value, *about) if good and asked["apps"][0]["appleVersionId"] in (VERSION, "0") else value
    return judged


def each(name: str, **members):
    """Changes every entry of a list."""
    return lambda document, *_: document | {name: [changed(**members)(entry) for entry in document[name]]}


def gives(name: str, when, **members):
    """Adds an entry to a response that must have none."""
    def bend(document, question, mart):
        if not when(question):
            return document
        return document | {name: [changed(**members)(mart.entry(name == "updates"))], "failures": []}
    return bend


def asks(version: str | None = None, system: str = "26.0"):
    def when(question: dict) -> bool:
        apps = question["apps"]
        return question["osVersion"] == system and [app["appleItemId"] for app in apps] == [ITEM] and (
            version is None or apps[0]["appleVersionId"] == version)
    return when


def offered(family: str, name: str) -> dict:
    """The faults that both restores and updates can have."""
    reply = "reply /" + family
    return {f"{family}.{fault}": bends for fault, bends in {
        "status": {reply: first(status(500))},
        "content_type": {reply: first(fields(Content_Type="text/plain"))},
        "json": {reply: first(body(lambda _: b"nothing"))},
        "members": {family: first(changed(failures=None))},
        "not_asked": {family: first(
            lambda document, mart: document | {name: document[name] + [mart.entry(True) | {"appleItemId": "999"}]})},
        "ids": {family: each(name, appleItemId=int(ITEM), appleVersionId=int(VERSION))},
        "token": {family: each(name, installVerificationToken=None)},
        "package_url": {family: each(name, alternativeDistributionPackage="/adp/1")},
        "package_host": {family: each(name, alternativeDistributionPackage="https://cdn.example/adp/1")},
        "no_token": {reply: lambda reply, _: status(403)(reply) if reply.status == 401 else reply},
    }.items()}


OFFERS = offered("restore", "restores") | offered("updates", "updates") | {
    "restore.missing": {"restore": first(changed(restores=[], failures=[]))},
    "restore.version": {"restore": each("restores", appleVersionId=OLD)},
    "restore.other_version": {"restore": gives("restores", asks("1"))},
    "restore.system_too_old": {"restore": gives("restores", asks(None, "1.0"))},
    "restore.not_json": {"reply /restore": unless_json(status(500))},
    "restore.empty": {
        "reply /restore": lambda reply, ask: status(500)(reply) if b'"apps":[]' in ask.body else reply},
    "restore.challenge": {"reply /restore": fields(WWW_Authenticate=None)},
    "restore.bad_token": {"reply /restore": lambda reply, _: status(500)(reply) if reply.status == 403 else reply},
    "updates.bundle_version": {"updates": each("updates", bundleVersion=None)},
    "updates.short_version": {"updates": each("updates", shortVersionString=None)},
    "updates.same_version": {"updates": gives("updates", asks(VERSION))},
    "updates.older": {"updates": gives("updates", asks(str(2**63 - 2)))},
    "updates.system_too_old": {"updates": gives("updates", asks(None, "1.0"))},
    "failures.status": {
        "reply /restore": lambda reply, ask: status(404)(reply)
        if reply.status == 200 and UNKNOWN.encode() in ask.body and ITEM.encode() not in ask.body else reply},
    "failures.unknown": {"restore": changed(failures=[])},
    "failures.code": {"restore": lambda document, *_: document | {
        "failures": [one | {"failure": one["failure"] | {"code": 410}} for one in document["failures"]]}},
    "failures.description": {"restore": lambda document, *_: document | {
        "failures": [one | {"failure": {"code": 404}} for one in document["failures"]]}},
    "failures.restored": {"restore": lambda document, question, mart: document | {
        "restores": document["restores"] + [
            mart.entry(False) | {"appleItemId": app["appleItemId"]} for app in question["apps"]
            if app["appleItemId"] == UNKNOWN]}},
    "failures.neighbour": {"restore": lambda document, question, _: document | (
        {"restores": []} if len(question["apps"]) == 2 else {})},
    "failures.updates": {"updates": changed(failures=[])},
}

# Install tokens

TOKENS = {
    "token.jws": {"token": lambda token: token.rsplit(".", 1)[0]},
    "token.json": {"token": lambda token: ".".join([token.split(".")[0], text64(b"[]"), token.split(".")[2]])},
    "token.alg": {"token header": changed(alg="ES384")},
    "token.kid": {"token header": changed(kid=None)},
    "token.typ": {"token header": changed(typ=None)},
    "token.missing": {"token claims": changed(bid=None)},
    "token.iss": {"token claims": changed(iss=6497405838)},
    "token.aud": {"token claims": changed(aud="appstoreconnect-v1")},
    "token.exp": {"token claims": changed(exp=None)},
    "token.life_long": {"token claims": lambda claims: claims | {"exp": claims["iat"] + 2 * 86_400}},
    "token.life": {"token claims": lambda claims: claims | {"exp": claims["iat"] + 7_200}},
    "token.dtype": {"token claims": changed(dtype="update")},
    "token.der": {"token signature": lambda raw, der: der},
    "token.signature": {"token key": lambda _: "another"},
    "token.item": {"token claims": changed(iid="999")},
    "token.version": {"token claims": changed(vid=OLD)},
    "token.bundle": {"token claims": changed(bid="com.example.other")},
    "token.time": {"token claims": lambda claims: claims | {"iat": int(time.time()) - 7_200, "exp": int(time.time()) - 6_600}},
    "token.nonce": {"token claims": lambda claims: claims | {"nonce": "again-" + claims["nonce"]}},
    "token.nonce_twice": {"token claims": changed(nonce="9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E")},
}

# Packages

def variant(**details):
    """Changes what the manifest states about the variant's bytes."""
    def bend(manifest):
        one = manifest["variants"][0]
        return manifest | {"variants": [one | {"variantDetails": one["variantDetails"] | details}]}
    return bend


def when(code: int, bend):
    return lambda reply, ask: bend(reply, ask) if reply.status == code else reply


def shifted(reply, _):
    """A partial response whose stated range begins one byte too late."""
    unit, rest = reply.fields["Content-Range"].split(" ")
    begin, size = rest.split("/")
    ends = [str(int(end) + 1) for end in begin.split("-")]
    return fields(Content_Range=f"{unit} {'-'.join(ends)}/{size}")(reply)


def one_later(reply, ask):
    """A partial response whose bytes begin one byte later than its stated range."""
    first, last = ask.fields["range"].removeprefix("bytes=").split("-")
    return replace(reply, body=BYTES[int(first) + 1:int(last) + 2])


def entire(reply, ask):
    return Reply(200, bytes(range(256)) * 40, {"ETag": reply.fields["ETag"]})


MANIFEST, SIGNATURE, ASSET = "package manifest", "package signature", "package asset"
PACKAGE = of_file("package.manifest_", MANIFEST) | of_file("package.signature_", SIGNATURE) | of_json(
    "manifest.", MANIFEST) | {
    "package.signature_empty": {SIGNATURE: body(lambda _: b"")},
    "package.other_app": {"manifest": changed(appleVersionId=str(int(VERSION) + 1))},
    "package.extra_file": {"package other": lambda *_: Reply(200, b"Finder was here.")},
    "package.coding": {SIGNATURE: fields(Content_Encoding="br")},
    "package.asset_status": {ASSET: only("HEAD", status(405))},
    "package.asset_length": {ASSET: only("HEAD", fields(Content_Length=None, Transfer_Encoding="chunked"))},
    "package.asset_size": {ASSET: only("HEAD", fields(Content_Length="9999"))},
    "package.etag_missing": {ASSET: fields(ETag=None)},
    "package.etag_weak": {ASSET: lambda reply, ask: fields(ETag="W/" + reply.fields["ETag"])(
        replace(reply, status=304, body=b"") if "if-none-match" in ask.fields else reply)},
    "package.etag_changes": {ASSET: when(206, lambda reply, ask: fields(ETag=f'"{ask.fields["range"]}"')(reply))},
    "package.range_ignored": {ASSET: when(206, entire)},
    "package.range_place": {ASSET: when(206, shifted)},
    "package.range_length": {ASSET: when(206, body(lambda part: part[:-1]))},
    "package.range_shifted": {ASSET: when(206, one_later)},
    "package.corrupt": {ASSET: only("GET", when(200, body(lambda whole: whole[:-1] + b"?")))},
    "package.range_beyond": {ASSET: when(416, entire)},
    "package.unchanged": {ASSET: when(304, entire)},
    "manifest.member": {"manifest": changed(variants=None)},
    "manifest.text": {"manifest": changed(bundleId="")},
    "manifest.id": {"manifest": changed(appleItemId="game")},
    "manifest.size": {"manifest": variant(compressedSize=0)},
    "manifest.platform": {"manifest": changed(platforms=["macos"])},
    "manifest.digests": {"manifest": variant(hashes=[
        {"algorithm": "sha256", "chunkSize": 10, "encryptedChunkDigests": ["00" * 32]}])},
    "manifest.capabilities": {"manifest": changed(requiredDeviceCapabilities=[5])},
}


# Licenses

def one(action: str, **members):
    """Changes members of every license."""
    return {action + " payload": lambda payload, _: payload | {
        "licenses": [license | members for license in payload["licenses"]]}}


def sealed(reply_to):
    """Changes only the response to a request for exactly the one app."""
    return lambda document, request: reply_to(document) if request["appleItemIDs"] == [ITEM] else document


def nothing_told(error) -> bool:
    return "padding" in str(error).lower() or "finalize" in str(error)


LICENSE = {
    "license.status": {"reply /license": lambda reply, _: status(500)(reply) if reply.status == 200 else reply},
    "license.json": {"reply /license": lambda reply, _: replace(reply, body=b"no") if reply.status == 200 else reply},
    "license.empty": {"license": sealed(changed(license=""))},
    "license.signature": {"license key": lambda _: "another"},
    "license.unlicensed_list": {"license": lambda document, _: document | {
        "unlicensedApps": [int(item) for item in document["unlicensedApps"]]}},
    "license.unknown_app": {
        "license payload": lambda payload, request: payload | {"licenses": payload["licenses"] + [
            license | {"appKeys": [license["appKeys"][0] | {"appleItemID": UNKNOWN}]}
            for license in payload["licenses"] if UNKNOWN in request["appleItemIDs"]]}},
    "license.neighbour": {"license payload": lambda payload, request: payload | (
        {"licenses": []} if UNKNOWN in request["appleItemIDs"] else {})},
    "license.missing_app": {"license ids": lambda _: []},
    "license.request": {"license payload": lambda payload, request: payload | {
        "requestID": str(int(request["requestID"]) + 1)}},
    "license.device": {"license payload": changed(deviceID="AAAA")},
    "license.id_range": {"license id": lambda _: 2**63 - 1},
    "license.issued_time": one("license", issuedTime=int(time.time()) - 5 * 86_400),
    "license.end": one("license", duration=2**63 - 1),
    "license.repeated": {"license ids": lambda ids: [id + int(time.time_ns() % 1_000_000) for id in ids]},
    "license.no_token": {"reply /license": lambda reply, _: status(403)(reply) if reply.status == 401 else reply},
    "license.not_json": {"reply /license": unless_json(status(500))},
    "license.defect_fault": {"defect": lambda refusal, error, _: (500, refusal[1]) if nothing_told(error) else refusal},
    "license.defect_accepted": {"defect": lambda refusal, error, _: (200, {}) if nothing_told(error) else refusal},
    "license.defects_differ": {
        "defect": lambda refusal, error, _: (400, {"title": "Bad padding."}) if nothing_told(error) else refusal},
    "renewal.status": {"reply /license/renew": lambda reply, _: status(500)(reply) if reply.status == 200 else reply},
    "renewal.json": {
        "reply /license/renew": lambda reply, _: replace(reply, body=b"no") if reply.status == 200 else reply},
    "renewal.empty": {"renewal": changed(license="")},
    "renewal.signature": {"renewal key": lambda _: "another"},
    "renewal.ineligible_list": {"renewal": lambda document, _: document | {
        "ineligibleLicenses": [int(id) for id in document["ineligibleLicenses"]]}},
    # The licenses of the marketplace have small ids. The checker's unknown license, with a random id of 55 bits, is listed.
    "renewal.missing": {
        "license id": lambda id: id % 2**20 + 1, "renews": lambda good, _: False,
        "renewal": lambda document, request: document | {
            "ineligibleLicenses": [id for id in document["ineligibleLicenses"] if int(id) > 2**20]}},
    "renewal.issued_time": one("renewal", issuedTime=int(time.time()) - 5 * 86_400),
    "renewal.foreign": {"renews": lambda good, is_known: good or not is_known},
    "renewal.other_device": {"renews": lambda good, is_known: is_known},
    "renewal.creates": {"renewal of nothing": lambda _, request, mart: mart.signed(
        "renewal", request, [mart.granted(5)], ineligibleLicenses=[])},
}

FAULTS = CONFIG | CERTIFICATE | TRANSPORT | OAUTH | OFFERS | TOKENS | PACKAGE | LICENSE
