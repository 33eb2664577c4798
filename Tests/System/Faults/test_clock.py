"""Tests servers whose clock steps."""

from catalogs import catalog, fresh_key, license, policy, product
from client import App

DAY = 86_400


def test_a_license_stays_valid_when_the_servers_clock_steps_back(installation):
    key = fresh_key()
    installation.moves_time()
    installation.apply(catalog("acme", product(policies=[policy(durationDays=30)], licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        installation.set_clock(3 * DAY)
        instance = app.activated(key, machine_hash="ab" * 32)
        installation.set_clock(-3 * DAY)

        answer = app.validate(key, instance)
        assert answer.status == 200
        lease = answer["lease"]
        assert lease["expiresAt"] - lease["issuedAt"] == 7 * DAY
        assert app.activated(key, machine_hash="ab" * 32) == instance
        assert server.client.get("/acme/.well-known/keylight-keys").json["keys"]
        assert app.deactivate(instance).status == 200
        assert app.validate(key, instance)["code"] == "activation_released"

    seat = installation.do("activation", "list", key, "--all", "--json").json["activations"][0]
    assert list(installation.places(key)) == [instance] and seat["releasedAt"]


def test_a_server_clock_far_ahead_expires_a_license_until_the_clock_is_corrected(installation):
    key = fresh_key()
    installation.moves_time()
    installation.apply(catalog("acme", product(policies=[policy(durationDays=30)], licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        installation.set_clock(100 * 365 * DAY)
        assert app.validate(key, instance)["code"] == "license_expired"
        installation.set_clock(0)
        assert app.validate(key, instance).status == 200


def test_a_server_still_responds_if_its_clock_file_becomes_invalid_or_is_deleted(installation):
    key = fresh_key()
    installation.moves_time()
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        for contents in ("soon", "", "9" * 400, "9223372036854775807", "-9223372036854775808"):
            installation.clock.write_text(contents)
            answer = app.validate(key, instance)
            assert answer.status in (200, 422), (contents, answer)
        installation.clock.unlink()
        assert app.validate(key, instance).status == 200
        installation.set_clock(0)


def test_doctor_fails_if_the_clock_is_behind_a_time_in_the_store(installation):
    installation.moves_time()
    installation.set_clock(3 * DAY)
    installation.apply(catalog("acme", product(licenses=[license(fresh_key())])))
    installation.clock = None

    output = installation.run("doctor")
    assert output.code == 1 and "FAILURE  clock" in output.out
    assert "Set the clock before you start the server" in output.out


def test_doctor_and_status_fail_if_the_clock_file_is_missing(installation):
    installation.apply(catalog("acme", product()))
    for command in ("doctor", "status"):
        refused = installation.run(command, "--clock", "nowhere")
        assert refused.code == 1 and "The clock file nowhere must contain" in refused.out + refused.err, refused
