"""Tests that a device's own activation id stays secret: lists show another, public id."""

import uuid

from catalogs import policy
from tenure_app import app

RULE = {"cooldownDays": 0, "perYear": 3}


def test_the_public_id_of_a_listed_device_neither_validates_nor_deactivates_that_device(vendor):
    key = vendor.offer_license(policy(selfRelease=RULE))
    keylight = vendor.app()
    mine = keylight.activated(key, machine_hash="ab" * 32)
    laptop = app(vendor)
    answer, own, _ = laptop.ask("activate", "lease", key, name="Laptop")
    proof = {"activation": own["activation"], "lease": answer["lease"]}
    _, listed, _ = laptop.ask("devices", "devices", key, **proof)
    shown, = [one["activation"] for one in listed["devices"] if one["activation"] != own["activation"]]

    assert shown != mine and str(uuid.UUID(shown)) == shown and uuid.UUID(shown).version == 4
    assert keylight.deactivate(shown).status == 200
    assert keylight.validate(key, shown).status == 422
    assert keylight.validate(key, mine).status == 200
    assert laptop.ask("devices/release", "devices", key, release=mine, **proof)[0].status == 200
    assert keylight.validate(key, mine).status == 200
    assert laptop.ask("devices/release", "devices", key, release=shown, **proof)[0].status == 200
    assert keylight.validate(key, mine).codes == ["activation_released_by_holder"]


def test_lists_and_events_show_activations_only_with_their_public_ids(vendor):
    key, tenant = vendor.offer_license(), vendor.tenant
    first, second = (vendor.app().activated(key, f"Device {number}") for number in (1, 2))
    words = [word for scope in ("licenses:read", "activations:write", "events:read") for word in ("--scope", scope)]
    token = vendor.installation.do("token", "create", "--tenant", tenant, *words, "--json").json["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    client = vendor.server.client
    license = vendor.installation.show(key, "--tenant", tenant)

    listed = client.get(f"/v1/{tenant}/licenses/{license['id']}/activations", bearer)["activations"]
    shown = {one["name"]: one["id"] for one in listed}
    assert not {first, second} & set(shown.values())
    assert {one["id"] for one in license["activations"]} == set(shown.values())
    events = client.get(f"/v1/{tenant}/events?limit=1000", bearer)
    assert {one["activation"] for one in events["events"] if one["activation"]} == set(shown.values())
    assert first not in events.body.decode() and second not in events.body.decode()

    released = client.post(f"/v1/{tenant}/activations/{shown['Device 1']}/release", {}, bearer)
    assert (released.status, released["changed"]) == (200, True), released
    again = client.post(f"/v1/{tenant}/activations/{first}/release", {}, bearer)
    assert (again.status, again["changed"]) == (200, False)
    assert vendor.app().validate(key, first).status == 422
    vendor.installation.do("activation", "restore", shown["Device 1"])
    assert vendor.app().validate(key, first).status == 200
    vendor.installation.do("activation", "release", second)
    assert vendor.app().validate(key, second).status == 422
    assert vendor.installation.run("activation", "release", str(uuid.uuid4())).code == 1
