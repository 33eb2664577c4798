"""Tests importing enrolments over the API and from a file."""

import pytest
from school import School


@pytest.fixture
def school(vendor):
    return School(vendor)


def test_an_import_of_enrolments_lists_invalid_rows_and_its_repetition_changes_nothing(school, vendor):
    def rows(*listed: dict) -> list[tuple]:
        answer = school.ask("POST", "/enrolments/import", {"rows": list(listed)})
        assert answer.status == 200, answer
        assert [row["row"] for row in answer["rows"]] == list(range(len(listed)))
        return [(row["outcome"], row.get("code")) for row in answer["rows"]]

    ada = {"holder": "ada", "course": "algebra", "reference": "i-1"}
    bob = {"holder": "bob", "content": "mck-4", "reference": "i-2", "endsAt": 1_900_000_000}
    listed = [
        ada, bob, {"holder": "eve", "course": "none", "reference": "i-3"}, {"holder": "eve", "course": "algebra"},
        ada | {"holder": "eve"}, ada | {"startsAt": "soon"}, {"holder": "eve", "reference": "i-4"}]
    bad = [
        ("invalid", "course_unknown"), ("invalid", "field_missing"), ("invalid", "reference_taken"),
        ("invalid", "field_invalid"), ("invalid", "field_invalid")]
    assert rows(*listed) == [("added", None), ("added", None), *bad]
    assert rows(*listed) == [("unchanged", None), ("unchanged", None), *bad]
    assert rows(bob | {"endsAt": None}) == [("changed", None)]
    assert school.ask("POST", "/enrolments/import", {"rows": []}).status == 422
    assert len(school.ask("GET", "/enrolments")["enrolments"]) == 2

    file = vendor.installation.home / f"{vendor.tenant}.csv"
    people = "".join(f'"learner {number}, the {number}th",r-{number},algebra,2035-01-01\n' for number in range(300))
    file.write_text("holder,reference,course,endsAt\n" + people + "zoe,r-7,algebra,\nzoe,r-900,nothing,\n")
    assert "an end at 24:00 UTC" in " ".join(vendor.installation.run("enrolment", "import", "--help").out.split())
    for first, second in (((300, 0), 2), ((0, 300), 2)):
        done = vendor.installation.run("enrolment", "import", str(file), "--tenant", vendor.tenant, "--json")
        told = done.json
        assert (done.code, told["added"], told["unchanged"], told["invalid"]) == (1, *first, second)
        assert "line 302: " in done.err and "[reference_taken]" in done.err and "line 303: " in done.err


def test_an_enrolment_with_an_end_in_the_past_is_added_as_ended_and_with_a_warning(school, vendor):
    run = vendor.installation.run
    file = vendor.installation.home / f"{vendor.tenant}-dates.csv"
    # The file is in the format of a spreadsheet program: semicolons, a byte order mark, spaces in the header and an empty row.
    file.write_text(
        "\ufeffholder ; reference;course;startsAt;endsAt\r\nada;d-1;algebra;;2020-01-31\r\n;;;;\r\n"
        "bob;d-2;algebra;2090-01-01;\r\neve;d-3;algebra;;\r\n")
    done = run("enrolment", "import", str(file), "--tenant", vendor.tenant)
    assert done.code == 0 and "3 added" in done.out
    assert "line 2: the end is in the past" in done.err and "line 3" not in done.err and "line 4" not in done.err
    assert "past" not in run("enrolment", "import", str(file), "--tenant", vendor.tenant).err

    for state, holder in (("ended", "ada"), ("not_started", "bob"), ("open", "eve"), ("paused", None)):
        for listed in (
            run("enrolment", "list", "--state", state, "--tenant", vendor.tenant, "--json").json["enrolments"],
            school.ask("GET", f"/enrolments?state={state}")["enrolments"],
        ):
            assert [(one["holder"], one["state"]) for one in listed] == ([(holder, state)] if holder else [])

    added = run(
        "enrolment", "add", "zoe", "--course", "algebra", "--until", "2020-01-31", "--tenant", vendor.tenant)
    assert added.code == 0 and "the end is in the past" in added.err and "ended on" in added.out

    for text, words in (("holder,holder\nada,ada\n", "twice"), ('holder,course\nada,"algebra\n', "isn't closed")):
        file.write_text(text)
        refused = run("enrolment", "import", str(file), "--tenant", vendor.tenant)
        assert refused.code == 1 and words in refused.err
