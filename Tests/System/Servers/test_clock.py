"""Tests servers whose clock differs from the database's, and the check of a database's indexes with amcheck."""

from client import App
from database import SharedInstallation


def test_a_server_validates_no_license_while_its_clock_is_an_hour_ahead_of_the_database_clock(pair, home):
    key = pair.offer()
    first = App(pair.servers[0].client, pair.tenant, "notes")
    instance = first.activated(key)
    late = SharedInstallation(home, pair.database, pair.installation.store, "late").fakes_time()
    late.fake_clock(3_600)
    with late.serving() as server:
        app = App(server.client, pair.tenant, "notes")
        answer = app.validate(key, instance)
        assert (answer.status, answer["code"]) == (503, "clock_in_doubt")
        assert "ahead of the database's" in server.client.get("/ready").json["error"]
        assert first.validate(key, instance).status == 200
        # The server logs that it trusts its clock again only after it has logged the doubt.
        assert server.says('"clock_in_doubt"')
        late.fake_clock(0)
        assert server.says('"clock_trusted"')
        assert app.validate(key, instance).status == 200


def test_doctor_reports_an_intact_store_if_the_database_has_amcheck(pair):
    pair.offer()
    pair.database.sql("CREATE EXTENSION amcheck", pair.installation.store)
    doctor = pair.installation.do("doctor")
    assert "ok       store: intact" in doctor.out
