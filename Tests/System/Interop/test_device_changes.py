"""Tests that a release permits another device at once, and that a license can't be passed on among many devices."""

from datetime import datetime

from catalogs import policy
from tenure_app import app as tenure_app

DAY = 86_400


def machine(number: int) -> str:
    return f"{number:064x}"


def passed_round(app, key: str, devices: range) -> list[int]:
    """Activates and deactivates each device in turn; returns the devices that could activate."""
    inside = []
    for number in devices:
        answer = app.activate(key, machine_hash=machine(number))
        if answer.status == 200:
            inside.append(number)
            assert app.deactivate(answer["instance_id"]).status == 200
        else:
            assert (answer.status, answer.codes) == (402, ["activation_limit_reached"])
    return inside


def test_a_license_for_two_devices_with_three_device_changes_is_activated_on_at_most_five_devices_in_30_days(timed):
    key, app = timed.offer_license(policy(activationLimit=2)), timed.app()
    assert passed_round(app, key, range(40)) == [0, 1, 2, 3, 4]

    refused = app.activate(key, machine_hash=machine(41))
    reason = refused["reasons"][0]
    assert reason["evidence"] == {"activations": 0, "activationLimit": 2, "devices": 5, "deviceChanges": 3}
    assert "changesAt" in reason and datetime.fromisoformat(reason["changesAt"])
    assert passed_round(app, key, range(5)) == [0, 1, 2, 3, 4], "a device that counts comes back as it likes"
    assert "acme" not in timed.installation.run("doctor").out
    assert f"{timed.tenant}/notes/pro (1)" in timed.installation.run("doctor").out

    timed.installation.set_clock(29 * DAY)
    assert passed_round(app, key, range(50, 52)) == []
    timed.installation.set_clock(31 * DAY)
    assert passed_round(app, key, range(50, 90)) == [50, 51, 52, 53, 54]


def test_a_licenses_own_activation_limit_replaces_the_limit_of_its_policy(timed):
    installation = timed.installation
    key, app = timed.offer_license(policy(activationLimit=1)), timed.app()
    installation.do("license", "change", key, "--activation-limit", "4")
    assert installation.do("license", "show", key, "--json").json["activationLimit"] == 4
    assert [app.activate(key, machine_hash=machine(number)).status for number in range(5)] == [200] * 4 + [402]
    refused = app.activate(key, machine_hash=machine(5))["reasons"][0]
    assert refused["evidence"] == {"activations": 4, "activationLimit": 4}

    installation.do("license", "change", key, "--activation-limit", "policy")
    assert installation.do("license", "show", key, "--json").json["activationLimit"] is None
    assert app.activate(key, machine_hash=machine(0)).status == 200, "an active device stays"
    assert app.activate(key, machine_hash=machine(9))["reasons"][0]["evidence"]["activationLimit"] == 1


def test_doctor_reports_used_up_device_changes_according_to_a_licenses_own_activation_limit(timed):
    installation = timed.installation
    key, app = timed.offer_license(policy(activationLimit=1)), timed.app()
    installation.do("license", "change", key, "--activation-limit", "4")
    assert passed_round(app, key, range(7)) == list(range(7))
    assert f"{timed.tenant}/notes/pro" not in installation.run("doctor").out
    assert passed_round(app, key, range(7, 9)) == [7]
    assert f"{timed.tenant}/notes/pro (1)" in installation.run("doctor").out


def test_after_the_command_activation_forgive_a_license_with_used_up_device_changes_can_be_activated_again(vendor):
    key, app = vendor.offer_license(policy(activationLimit=1, deviceChanges=1)), vendor.app()
    assert passed_round(app, key, range(4)) == [0, 1]
    said = vendor.installation.do("activation", "forgive", key, "--json").json
    assert (said["devices"], said["changed"]) == (2, True)
    again = vendor.installation.do("activation", "forgive", key, "--json").json
    assert (again["devices"], again["changed"]) == (0, False)
    assert passed_round(app, key, range(10, 14)) == [10, 11]
    events = vendor.installation.do("license", "show", key, "--json").json["events"]
    assert [event["detail"] for event in events if event["kind"] == "license.devices_forgiven"] == [{"devices": 2}]
    explained = vendor.installation.run("license", "explain", key).out
    assert f"tenure activation forgive {said['license']}" in explained


def test_each_activation_without_a_machine_hash_counts_as_another_device_if_device_changes_are_limited(vendor):
    key, app = vendor.offer_license(policy(activationLimit=1, deviceChanges=2)), vendor.app()
    for _ in range(3):
        app.deactivate(app.activated(key))
    assert app.activate(key).codes == ["activation_limit_reached"]

    key = vendor.offer_license(policy(activationLimit=1, deviceChanges=None))
    for _ in range(12):
        app.deactivate(app.activated(key))


def test_by_default_a_license_can_move_to_another_device_every_ten_days(timed):
    key, app = timed.offer_license(policy(activationLimit=1, leaseDays=14)), timed.app()
    held = app.activated(key, machine_hash=machine(0))
    for number in range(1, 40):
        timed.installation.set_clock(number * 10 * DAY + number)
        assert app.deactivate(held).status == 200
        held = app.activated(key, machine_hash=machine(number))


def test_a_released_device_counts_against_the_device_change_limit_until_its_60_day_lease_ends(timed):
    key, app = timed.offer_license(policy(activationLimit=1, deviceChanges=0, leaseDays=60)), timed.app()
    app.deactivate(app.activated(key, machine_hash=machine(1)))
    for days, status in ((0, 402), (59, 402), (61, 200)):
        timed.installation.set_clock(days * DAY)
        assert app.activate(key, machine_hash=machine(2)).status == status


def test_a_device_released_by_the_operator_does_not_count_as_a_device_change(vendor):
    key, app = vendor.offer_license(policy(activationLimit=1, deviceChanges=0)), vendor.app()
    for number in range(4):
        vendor.installation.do("activation", "release", app.activated(key, machine_hash=machine(number)))
    assert app.activate(key, machine_hash=machine(9)).status == 200


def test_the_refusal_of_a_device_change_beyond_the_limit_is_signed_in_the_tenure_dialect(vendor):
    key = vendor.offer_license(policy(activationLimit=1, deviceChanges=1))
    for name in ("a", "b"):
        one = tenure_app(vendor, name)
        activation = one.ask("activate", "lease", key)[1]["activation"]
        assert one.ask("release", "release", key, activation=activation)[0].status == 200
    answer, refusal, _ = tenure_app(vendor, "c").ask("activate", "lease", key)
    assert (answer.status, answer.codes) == (409, ["activation_limit_reached"])
    released = refusal["reasons"][0]["changesAt"] - 30 * DAY
    assert 0 <= refusal["iat"] - released < 60, "thirty days after the first release, which was moments ago"
    assert tenure_app(vendor, "a").ask("activate", "lease", key)[0].status == 200
