"""Tests that a new signing key is used at once, while older leases stay valid."""

from verifying import config_text, is_lease_signed, is_signed

DAY = 86_400


def rotate(vendor, *options: str) -> None:
    vendor.installation.do("key", "rotate", "--tenant", vendor.tenant, *options)


def test_leases_signed_with_the_old_and_with_the_new_key_verify_after_a_rotation(vendor):
    key = vendor.offer_license()
    app = vendor.app()
    activated = app.activate(key)
    instance, old, before = activated["instance_id"], activated["lease"], vendor.keyset()
    config = app.config().json
    rotate(vendor)

    new, after = app.validate(key, instance)["lease"], vendor.keyset()
    assert new["kid"] != old["kid"] and after["primary_kid"] == new["kid"]
    assert {one["kid"] for one in after["keys"]} == {old["kid"], new["kid"]}
    assert is_lease_signed(old, after) and is_lease_signed(new, after)
    assert is_signed(config_text(config, vendor.tenant, "notes"), config, after)
    assert not is_lease_signed(new, before)
    assert not is_lease_signed(new | {"kid": old["kid"]}, after)

    fresh = app.config().json
    assert fresh["kid"] == new["kid"]
    assert is_signed(config_text(fresh, vendor.tenant, "notes"), fresh, after)
    another = app.activate(key, "Another")["lease"]
    assert another["kid"] == new["kid"] and is_lease_signed(another, after)


def test_the_old_signing_key_is_published_until_everything_that_it_signed_has_expired(timed):
    key = timed.offer_license()
    activated = timed.app().activate(key)
    old = activated["lease"]["kid"]
    signed_until = max(activated["lease"]["expiresAt"], timed.app().config()["expires_at"])
    rotate(timed)

    def kids() -> set[str]:
        return {one["kid"] for one in timed.keyset()["keys"]}

    now = activated["lease"]["issuedAt"]
    timed.installation.set_clock(signed_until - now)
    assert old in kids()
    timed.installation.set_clock(signed_until - now + DAY)
    assert old not in kids()


def test_leases_signed_with_each_of_three_keys_verify_after_two_rotations(vendor):
    key = vendor.offer_license()
    leases = [vendor.app().activate(key, "one")["lease"]]
    for name in ("two", "three"):
        rotate(vendor)
        leases.append(vendor.app().activate(key, name)["lease"])

    keyset = vendor.keyset()
    assert len({lease["kid"] for lease in leases}) == 3
    assert all(is_lease_signed(lease, keyset) for lease in leases)


def test_a_tenants_key_rotation_does_not_change_another_tenants_keyset(vendor, shared_installation, shared_server):
    other = type(vendor)(shared_installation, shared_server)
    vendor.offer()
    other.offer()
    before = other.keyset()
    rotate(vendor)

    assert other.keyset() == before


def test_a_withdrawn_signing_key_is_no_longer_published(vendor):
    key = vendor.offer_license()
    old = vendor.app().activate(key)["lease"]["kid"]
    withdraw = lambda kid: vendor.installation.run("key", "withdraw", kid, "--tenant", vendor.tenant)
    assert withdraw(old).code == 1 and "key rotate" in withdraw(old).err
    rotate(vendor)
    assert old in {one["kid"] for one in vendor.keyset()["keys"]}
    assert withdraw("k99").code == 1
    assert withdraw(old).out.split() == [old, "withdrawn"]
    assert old not in {one["kid"] for one in vendor.keyset()["keys"]}
    assert withdraw(old).out.split() == [old, "already", "withdrawn"]
