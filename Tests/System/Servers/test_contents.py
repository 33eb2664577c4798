"""Tests offline content with simultaneous requests to two servers."""

import re
from concurrent.futures import ThreadPoolExecutor

import secrecy
from school import School, rule
from vendor import Vendor


def school_of(pair, *rules: dict, **content) -> School:
    vendor = Vendor(pair.installation, pair.servers[0])
    vendor.tenant = pair.tenant
    return School(vendor, *rules, **content)


def crowd(pair, works: list) -> list:
    """Runs all functions at once, each with a new connection to one of the two servers; returns their results."""
    def one(numbered):
        number, work = numbered
        client = pair.servers[number % 2].new_client()
        try:
            return work(client)
        finally:
            client.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, enumerate(works)))


def test_two_servers_grant_an_enrolments_last_activation_to_one_of_fifty_devices(pair):
    school = school_of(pair, rule(deviceLimit=1))
    enrolment = school.enrol()
    tablets = [school.tablet() for _ in range(50)]
    answers = crowd(pair, [lambda client, one=one: one.get("mck-1", client=client) for one in tablets])
    assert sorted(answer.status for answer in answers) == [200] + [409] * 49
    assert school.enrolment(enrolment)["devices"] == 1


def test_concurrent_renewals_of_one_version_of_a_content_license_at_two_servers_create_one_new_version(pair):
    school = school_of(pair)
    school.enrol()
    tablet = school.tablet()
    held = tablet.has("mck-1")
    for version in range(2, 202):
        one, two = crowd(pair, [lambda client: tablet.renewed(held, client=client)] * 2)
        assert one["grant"] == two["grant"] and one["version"] == version
        held = one


def test_a_content_request_sent_to_both_servers_is_carried_out_once(pair):
    school = school_of(pair)
    school.enrol()
    tablet = school.tablet()
    for number in range(10):
        request = f"request-{number:04}"
        one, two = crowd(
            pair, [lambda client: tablet.get(f"mck-{number % 3 + 1}", request, client=client)] * 2)
        assert one.body == two.body and one.status == 200
    assert len(school.ask("GET", "/licenses")["licenses"]) == 3


def test_concurrent_requests_for_content_with_open_access_at_two_servers_create_one_enrolment(pair):
    school = school_of(pair, rule(deviceLimit=None), access="open")
    tablets = [school.tablet() for _ in range(20)]
    answers = crowd(pair, [lambda client, one=one: one.get("mck-2", client=client) for one in tablets])
    assert {answer.status for answer in answers} == {200}
    made = school.ask("GET", "/enrolments")["enrolments"]
    assert [(one["content"], one["devices"]) for one in made] == [("mck-2", 20)]


def test_a_holders_link_opens_one_session_which_is_valid_at_either_server(pair):
    school = school_of(pair, rule(selfRelease={"cooldownDays": 0, "perYear": 9}))
    school.enrol()
    tablet = school.tablet(name="Tablet")
    tablet.has("mck-1")
    page = f"/content/{pair.tenant}/learner"
    for _ in range(5):
        link = school.ask("POST", "/holders/link", {"holder": "ada"})["path"]
        secrecy.keep(link.rsplit("/", 1)[1])
        opened = crowd(pair, [lambda client: client.ask("POST", link)] * 8)
        assert sorted(answer.status for answer in opened) == [303] + [410] * 7
    [cookie] = [answer.headers["set-cookie"].split(";")[0] for answer in opened if answer.status == 303]
    secrecy.keep(cookie.split("=")[1])
    pages = crowd(pair, [lambda client: client.get(page, {"Cookie": cookie})] * 4)
    assert all(answer.status == 200 and b"Tablet" in answer.body for answer in pages)
    code = re.search(rb'name="code" value="([^"]+)', pages[0].body)[1].decode()
    form = f"code={code}&device={tablet.device}".encode()
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    released = crowd(pair, [lambda client: client.ask("POST", f"{page}/release", form, headers)] * 8)
    assert {answer.status for answer in released} == {200}, "said again, nothing changes"
    listed = school.ask("GET", "/devices?holder=ada").json
    assert listed["devices"] == [] and listed["selfRelease"] is None
    school.ask("POST", "/holders/end", {"holder": "ada"})
    ended = crowd(pair, [lambda client: client.get(page, {"Cookie": cookie})] * 4)
    assert {answer.status for answer in ended} == {403}
