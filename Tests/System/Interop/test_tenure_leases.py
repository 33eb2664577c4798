"""Tests the Tenure dialect from activation to revocation; PyJWT and jwcrypto verify the statements."""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import jwt
import pytest
from catalogs import fresh_key, license, policy, product
from tenure_app import Refused, TenureApp, app, new_nonce, pinned

DAY = 86_400


def parsed(date: str) -> int:
    """Converts an RFC 3339 date to POSIX seconds."""
    return int(datetime.fromisoformat(date).timestamp())


def test_a_lease_can_be_renewed_until_its_license_is_revoked(vendor):
    key = vendor.offer_license(policy(entitlements=["sync", "export"]))
    laptop = app(vendor)

    before = int(time.time())
    answer, lease, _ = laptop.ask("activate", "lease", key, name="Ada's laptop")
    after = int(time.time())
    assert answer.status == 200 and set(answer.json) == {"lease"}
    assert before <= lease["iat"] <= after and lease["exp"] == lease["iat"] + 7 * DAY
    assert lease["status"] == "active" and lease["term"]["end"] is None and lease["policy"] == "pro"
    assert lease["entitlements"] == [
        {"name": name, "value": None, "end": None} for name in ("export", "sync")]
    # By default, PyJWT checks `iat` and `exp` against this host's clock.
    jwt.decode(answer["lease"], jwt.PyJWK(next(iter(laptop.trusted.keys.values()))).key, algorithms=["EdDSA"])

    activation = lease["activation"]
    _, renewed, _ = laptop.ask("renew", "lease", key, activation=activation)
    assert renewed["license"] == lease["license"] and renewed["nonce"] != lease["nonce"]

    vendor.license("revoke", key)
    answer, refusal, left = laptop.ask("renew", "lease", key, activation=activation)
    assert (answer.status, answer.codes, left) == (403, ["license_revoked"], None)
    assert refusal["exp"] == refusal["iat"] + 300 and refusal["reasons"][0]["changesAt"] is None
    assert refusal["activation"] == activation
    answer, refusal, _ = laptop.ask("activate", "lease", key)
    assert (answer.status, answer.codes, refusal["activation"]) == (403, ["license_revoked"], None)


def test_refusals_that_name_the_activation_limit_another_device_or_a_released_activation_are_signed(vendor):
    key, full = fresh_key(), fresh_key()
    vendor.offer(product(
        policies=[policy(), policy("one", activationLimit=1)], licenses=[license(key), license(full, "one")]))
    laptop, phone = app(vendor), app(vendor, "phone")
    activation = laptop.ask("activate", "lease", key)[1]["activation"]
    laptop.ask("activate", "lease", full)

    assert laptop.ask("activate", "lease", fresh_key())[0].status == 404
    answer, refusal, _ = phone.ask("activate", "lease", full)
    assert answer.codes == ["activation_limit_reached"]
    assert refusal["reasons"][0]["evidence"] == {"activations": 1, "activationLimit": 1}
    assert phone.ask("renew", "lease", key, activation=activation)[0].codes == ["activation_other_device"]
    assert phone.ask("release", "release", key, activation=activation)[0].codes == ["activation_other_device"]
    assert laptop.ask("release", "release", key, activation=activation)[0].status == 200
    assert laptop.ask("renew", "lease", key, activation=activation)[0].codes == ["activation_released"]


def test_a_refusal_of_an_expired_license_includes_a_lease_with_the_status_expired_or_fallback(timed):
    key, soft = fresh_key(), fresh_key()
    timed.offer(product(
        policies=[policy(durationDays=30), policy("soft", durationDays=30, fallbackAccess=True)],
        licenses=[license(key), license(soft, "soft")]))
    laptop = app(timed)
    held = {one: laptop.ask("activate", "lease", one)[1]["activation"] for one in (key, soft)}
    timed.installation.set_clock(31 * DAY)

    for one, status in ((key, "expired"), (soft, "fallback")):
        answer, refusal, lease = laptop.ask("renew", "lease", one, activation=held[one])
        assert answer.codes == ["license_expired"]
        assert parsed(refusal["reasons"][0]["evidence"]["expiredAt"]) == lease["term"]["end"]
        assert lease["status"] == status and lease["entitlements"] == [] and lease["activation"] == held[one]


def test_a_repeated_activation_request_uses_no_second_activation(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    laptop, nonce = app(vendor), new_nonce()

    def send(_) -> str:
        own = TenureApp(vendor.server.new_client(), vendor.tenant, laptop.device, laptop.trusted)
        return own.ask("activate", "lease", key, nonce=nonce)[1]["activation"]

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(send, range(16)))) == 1


def test_a_trial_that_is_requested_again_keeps_its_start(timed):
    timed.offer(product(trialDays=14))
    laptop = app(timed)
    _, trial, _ = laptop.ask("trial", "trial")
    assert trial["days"] == 14 and trial["start"] == trial["iat"] and trial["activation"] is None

    timed.installation.set_clock(20 * DAY)
    _, again, _ = app(timed).ask("trial", "trial", startedAt=trial["start"] + 15 * DAY)
    assert again["start"] == trial["start"] and again["iat"] >= trial["start"] + 20 * DAY
    _, other, _ = app(timed, "phone").ask("trial", "trial", startedAt=trial["start"] + 18 * DAY)
    assert other["start"] == trial["start"] + 18 * DAY

    timed.offer(product(trialDays=0))
    assert laptop.ask("trial", "trial")[0].codes == ["trial_not_offered"]


def test_a_holder_can_release_a_lost_device_to_activate_another(vendor):
    key = vendor.offer_license(policy(activationLimit=2, selfRelease={"cooldownDays": 30, "perYear": 2}))
    laptop, dead, new = app(vendor), app(vendor, "dead"), app(vendor, "new")
    answer, mine, _ = laptop.ask("activate", "lease", key, name="Laptop")
    gone = dead.ask("activate", "lease", key, name="Dead one")[1]["activation"]
    assert new.ask("activate", "lease", key)[0].status == 409

    proof = {"activation": mine["activation"], "lease": answer["lease"]}
    _, listed, _ = laptop.ask("devices", "devices", key, **proof)
    assert {one["name"] for one in listed["devices"]} == {"Laptop", "Dead one"}
    assert listed["selfRelease"] == {"left": 2, "nextAt": None} and listed["activationLimit"] == 2
    shown = {one["name"]: one["activation"] for one in listed["devices"]}
    assert shown["Laptop"] == mine["activation"] and shown["Dead one"] != gone
    _, left, _ = laptop.ask("devices/release", "devices", key, release=shown["Dead one"], **proof)
    assert [one["name"] for one in left["devices"]] == ["Laptop"] and left["selfRelease"]["left"] == 1

    assert dead.ask("renew", "lease", key, activation=gone)[0].codes == ["activation_released_by_holder"]
    vendor.installation.do("activation", "restore", gone)
    assert dead.ask("renew", "lease", key, activation=gone)[0].status == 200
    laptop.ask("devices/release", "devices", key, release=shown["Dead one"], **proof)
    new.ask("activate", "lease", key, name="New one")
    _, listed, _ = laptop.ask("devices", "devices", key, **proof)
    taken, = [one["activation"] for one in listed["devices"] if one["name"] == "New one"]
    answer, refusal, _ = laptop.ask("devices/release", "devices", key, release=taken, **proof)
    assert answer.codes == ["self_release_cooldown"]
    assert refusal["reasons"][0]["changesAt"] >= refusal["iat"] + 29 * DAY
    assert vendor.installation.run("activation", "restore", gone).code == 1


def test_a_products_trial_days_and_free_tier_are_signed(vendor):
    vendor.offer(product(trialDays=7, freeTier=True))
    terms = app(vendor).fetch("product")
    assert (terms["trialDays"], terms["freeTier"]) == (7, True)
    assert terms["exp"] == terms["iat"] + 30 * DAY


def test_a_new_signing_key_is_trusted_once_a_keyset_signed_with_a_trusted_key_has_it(vendor):
    key = vendor.offer_license()
    laptop = app(vendor)
    activation = laptop.ask("activate", "lease", key)[1]["activation"]
    old = set(laptop.trusted.keys)
    vendor.installation.do("key", "rotate", "--tenant", vendor.tenant)

    with pytest.raises(Refused, match="unknown key"):
        laptop.ask("renew", "lease", key, activation=activation)
    keyset = laptop.fetch("keyset")
    assert {one["kid"] for one in keyset["keys"]} > old and keyset["primary"] not in old
    laptop.trusted.adopt(keyset)
    assert laptop.ask("renew", "lease", key, activation=activation)[0].status == 200

    # An app that trusts only another tenant's keys must reject the keyset.
    stranger = app(vendor)
    stranger.trusted.keys = {"k9": next(iter(laptop.trusted.keys.values()))}
    with pytest.raises(Refused, match="unknown key"):
        stranger.fetch("keyset")


def test_a_signed_lease_that_was_modified_or_is_bound_to_another_request_does_not_verify(vendor):
    key = vendor.offer_license()
    laptop = app(vendor)
    answer, lease, _ = laptop.ask("activate", "lease", key)
    bound = {member: lease[member] for member in ("nonce", "device", "keyHash", "activation")}
    statement = answer["lease"]
    assert laptop.believe(statement, "lease", bound) == lease
    header, payload, signature = statement.split(".")

    def text(part: str) -> bytes:
        return urlsafe_b64decode(part + "=" * (-len(part) % 4))

    def part(text: bytes) -> str:
        return urlsafe_b64encode(text).rstrip(b"=").decode()

    tampered = [
        ".".join([header, part(text(payload).replace(b'"active"', b'"fallback"')), signature]),
        ".".join([header, part(text(payload).replace(str(lease["exp"]).encode(), b"4000000000")), signature]),
        ".".join([part(text(header).replace(b"lease", b"trial")), payload, signature]),
        ".".join([header, payload, part(bytes(64))]),
        ".".join([part(b'{"alg":"none","typ":"tenure-lease+jwt","kid":"k1"}'), payload, ""]),
    ]
    for one in tampered:
        with pytest.raises(Refused):
            laptop.believe(one, "lease", bound)
    with pytest.raises(Refused, match="header"):
        laptop.believe(statement, "refusal", bound)
    for member in bound:
        with pytest.raises(Refused, match=member):
            laptop.believe(statement, "lease", bound | {member: "0"})
    with pytest.raises(Refused, match="product"):
        TenureApp(laptop.client, laptop.tenant, laptop.device, pinned(vendor), "draw").believe(
            statement, "lease", bound)


def test_an_unsigned_error_response_contains_no_lease_or_refusal(vendor):
    vendor.offer_license()
    for path, body, status in [
        (f"/v1/{vendor.tenant}/nothing/leases/activate", {}, 404), ("/v1/nobody/notes/leases/activate", {}, 404),
        (f"/v1/{vendor.tenant}/notes/leases/activate", {}, 422),
        (f"/v1/{vendor.tenant}/notes/leases/activate", {"nonce": "x" * 20_000}, 413),
    ]:
        answer = vendor.server.client.post(path, body)
        assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
        assert "refusal" not in answer.json and "lease" not in answer.json
