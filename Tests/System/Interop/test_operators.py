"""Tests that a running server applies an operator's commands at the next request."""

from catalogs import fresh_key, license, policy, product

DAY = 86_400


def test_a_command_that_changes_a_license_takes_effect_at_the_next_request(vendor):
    key = vendor.offer_license(policy(durationDays=30))
    app = vendor.app()
    instance = app.activated(key)
    end = app.validate(key, instance)["license_expires_at"]

    def validate():
        answer = app.validate(key, instance)
        return answer.status, answer.json.get("code")

    vendor.license("suspend", key)
    assert validate() == (422, "license_suspended")
    vendor.license("reinstate", key)
    assert validate() == (200, None)
    vendor.license("renew", key, "--days", "10")
    assert app.validate(key, instance)["license_expires_at"] == end + 10 * DAY
    vendor.license("change", key, "--expires-at", "2025-01-01", "--already-ended")
    assert validate() == (422, "license_expired")
    vendor.license("renew", key)
    assert validate() == (200, None)
    vendor.license("change", key, "--expires-at", "never")
    assert app.validate(key, instance)["license_expires_at"] is None
    vendor.license("return", key)
    assert validate() == (422, "license_returned")


def test_after_a_license_key_is_replaced_its_device_is_valid_with_the_new_key_and_refused_with_the_old_one(vendor):
    key = vendor.offer_license()
    instance = vendor.app().activated(key)
    new = vendor.license("rekey", key, "--yes", "--json").lines[-1]["licenseKey"]

    assert vendor.app().validate(key, instance).status == 422
    assert vendor.app().activate(key).status == 422
    assert vendor.app().validate(new, instance).status == 200


def test_a_device_released_by_the_operator_is_refused_as_released(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    instance = vendor.app().activated(key)
    vendor.installation.do("activation", "release", instance)

    answer = vendor.app().validate(key, instance)
    assert (answer.status, answer["code"]) == (422, "activation_released")
    assert vendor.app().activate(key, "Another").status == 200


def test_a_license_can_be_activated_as_soon_as_it_is_issued(vendor):
    vendor.offer()
    issued = vendor.installation.issue(vendor.tenant, "notes", "pro")

    assert vendor.app().activate(issued["licenseKey"]).status == 200


def test_a_license_follows_its_new_policy_from_the_next_request(vendor):
    key = fresh_key()
    vendor.offer(product(
        policies=[policy("pro"), policy("team", entitlements=["team"], leaseDays=1, activationLimit=1)],
        licenses=[license(key)]))
    instance = vendor.app().activated(key)
    vendor.license("change", key, "--policy", "team")

    lease = vendor.app().validate(key, instance)["lease"]
    assert (lease["entitlements"], lease["expiresAt"] - lease["issuedAt"]) == (["team"], DAY)
    assert vendor.app().activate(key, "Second").status == 402


def test_the_limits_and_entitlements_of_an_edited_policy_take_effect_at_the_next_request(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    app = vendor.app()
    instance = app.activated(key)

    assert app.activate(key, "Second").status == 402
    vendor.offer(product(policies=[policy(activationLimit=2, entitlements=["new"], leaseDays=3)]))
    assert app.activate(key, "Second").status == 200
    lease = app.validate(key, instance)["lease"]
    assert (lease["entitlements"], lease["expiresAt"] - lease["issuedAt"]) == (["new"], 3 * DAY)
    vendor.offer(product(policies=[policy(activationLimit=2, entitlements=[], fallbackAccess=True)]))
    assert app.validate(key, instance)["lease"]["entitlements"] == []
    vendor.license("change", key, "--expires-at", "2025-01-01", "--already-ended")
    assert app.validate(key, instance)["lease"]["status"] == "fallback"
    vendor.offer(product(policies=[policy(fallbackAccess=False)]))
    assert app.validate(key, instance)["lease"]["status"] == "expired"


def test_the_products_of_a_new_tenant_are_served_from_the_next_request_until_they_are_pruned(vendor):
    assert vendor.app().config().status == 404
    vendor.offer(product("notes"), product("draw"))
    assert vendor.app().config().status == 200 and vendor.app("draw").config().status == 200
    vendor.installation.apply({"tenants": [{"id": vendor.tenant, "products": [product("notes")]}]}, "--prune")
    assert vendor.app().config().status == 200
    assert vendor.app("draw").config().status == 404
