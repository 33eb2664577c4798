"""Answers to devices that were lost on their way."""

from school import School, codes, played, rule

DAY = 86_400


def test_an_answer_that_was_lost_locks_nothing(timed):
    """The device goes on naming version 1, whatever the server made since: it never heard of that."""
    school = School(timed, rule(expiresAfterDays=3, maxRenewals=2))
    school.enrol()
    tablet = school.tablet(hours=24 * 100)
    one = tablet.has("mck-1")
    timed.installation.set_clock(3 * DAY)
    lost = tablet.renewed(one)
    assert lost["version"] == 2
    timed.installation.set_clock(5 * DAY)
    assert tablet.renewed(one)["grant"] == lost["grant"], "while it plays, the present grant is given again"
    timed.installation.set_clock(7 * DAY)
    now = school.grant(lost)["issuedAt"] + 4 * DAY
    again = tablet.renewed(one, when="due")
    assert (again["outcome"], again["version"]) == ("renewed", 3) and school.grant(again)["expiresAt"] > now
    # The lost one was not counted: of two renewals one is left.
    timed.installation.set_clock(10 * DAY)
    last = tablet.renewed(again)
    assert (last["outcome"], last["version"]) == ("renewed", 4)
    timed.installation.set_clock(14 * DAY)
    assert codes(tablet.renewed(last)) == ["renewal_over"]


def test_a_version_that_a_device_has_named_counts(timed):
    school = School(timed, rule(expiresAfterDays=3, maxRenewals=1))
    school.enrol()
    asking, reporting, showing, silent = (school.tablet(hours=24 * 100, holder=f"h{n}") for n in range(4))
    for tablet in (asking, reporting, showing, silent):
        school.enrol(tablet.holder)
        tablet.first = tablet.has("mck-1")
    timed.installation.set_clock(2 * DAY)
    for tablet in (asking, reporting, showing, silent):
        tablet.second = tablet.renewed(tablet.first)
        assert tablet.second["version"] == 2
    assert asking.renewed(asking.second, when="due")["outcome"] == "unchanged"
    reporting.report(played(reporting.second))
    timed.installation.set_clock(6 * DAY)
    assert codes(asking.renewed(asking.first)) == ["renewal_over"]
    assert codes(reporting.renewed(reporting.first)) == ["renewal_over"]
    shown = showing.first | {"grant": showing.second["grant"], "shows": True}
    assert codes(showing.renewed(shown)) == ["renewal_over"]
    assert silent.renewed(silent.first)["version"] == 3
