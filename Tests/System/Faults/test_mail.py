"""Tests letters if the server is killed, the mail server is unreachable or refuses, or the license is revoked."""

import email
import email.policy
import re

import catalogs
import pytest
from client import App
from mail_server import PASSWORD, USER, Authority, MailServer
from waiting import eventually

ADDRESS = "ada.lovelace@shop.example"


@pytest.fixture
def installation(installation):
    installation.moves_time()
    installation.tenant = catalogs.fresh()
    catalog = catalogs.catalog(
        installation.tenant, catalogs.product(activationURL="https://acme.example/activate#{key}"))
    catalog["tenants"][0]["mail"] = {"from": "keys@acme.example"}
    installation.apply(catalog)
    return installation


def issue(installation) -> dict:
    """Issues a license, and queues a letter with its key."""
    return installation.issue(
        installation.tenant, "notes", "pro", "--holder-email", ADDRESS, "--mail")


def states(installation) -> list[str]:
    return [mail["state"] for mail in mails(installation)]


def mails(installation) -> list[dict]:
    return installation.do("mail", "list", "--tenant", installation.tenant, "--json").json["mails"]


def ids(server) -> list[str]:
    messages = [email.message_from_bytes(letter.original_content, policy=email.policy.SMTP) for letter in server.letters]
    return [message["Message-ID"] for message in messages]


def test_a_letter_that_a_killed_server_was_sending_is_sent_again_with_the_same_message_id(installation):
    with MailServer() as server:
        server.hang_after_letter = True
        running = installation.start("--smtp", server.url)
        issue(installation)
        server.wait_for(1)
        running.kill()
        server.hang_after_letter = False
        with installation.serving("--smtp", server.url):
            server.wait_for(2)
            eventually(lambda: states(installation), lambda found: found == ["sent"])
        assert len(set(ids(server))) == 1 and len(server.letters) == 2


def test_letters_wait_while_the_mail_server_is_unreachable(installation):
    with MailServer() as server:
        url = server.url
    with installation.serving("--smtp", url) as running:
        issue(installation)
        eventually(lambda: mails(installation)[0]["attempts"], lambda count: count == 1)
        assert states(installation) == ["waiting"]
        assert ADDRESS not in running.said
    installation.set_clock(3_700)
    doctor = installation.run("doctor")
    assert "letters: 1 have been waiting for over an hour" in doctor.out and ADDRESS not in doctor.out
    with MailServer() as server, installation.serving("--smtp", server.url):
        server.wait_for(1)
        eventually(lambda: states(installation), lambda found: found == ["sent"])


def text(letter) -> str:
    return email.message_from_bytes(letter.original_content, policy=email.policy.SMTP).get_content()


def test_a_license_key_mailed_over_starttls_activates_an_app_and_can_be_sent_again(installation, home):
    authority, credentials = Authority(home), home / "credentials"
    credentials.write_text(f"{USER}\n{PASSWORD}\n")
    with MailServer(authority, with_password=True) as server, installation.serving(
            "--smtp", server.url, "--smtp-ca", str(authority.file),
            "--smtp-credentials-file", str(credentials)) as running:
        license = issue(installation)
        server.wait_for(1)
        key = re.search(r"^https://acme\.example/activate#(\S+)", text(server.letters[0]), re.MULTILINE)[1]
        assert key == license["licenseKey"]
        assert App(running.client, installation.tenant, "notes").activate(key).status == 200
        assert "waits for" in installation.do("license", "send-key", license["id"]).out
        server.wait_for(2)
        assert key in text(server.letters[1]).split()
        eventually(lambda: states(installation), lambda found: found == ["sent", "sent"])


def test_doctor_status_and_metrics_report_the_same_number_of_letters_that_have_waited_for_over_an_hour(installation):
    with MailServer() as server:
        url = server.url
    with installation.serving("--smtp", url) as running:
        for _ in range(3):
            issue(installation)
        eventually(lambda: [mail["attempts"] for mail in mails(installation)], lambda counts: counts == [1, 1, 1])
        installation.set_clock(3_700)
        assert states(installation) == ["waiting"] * 3
        jobs = installation.do("job", "list", "--kind", "mail.letter", "--json").json["jobs"]
        assert {job["job"].removeprefix("job_") for job in jobs} == {
            mail["id"].removeprefix("mail_") for mail in mails(installation)}
        assert {job["state"] for job in jobs} <= {"waiting", "running"}
        sentence = "letters: 3 have been waiting for over an hour"
        assert sentence in installation.run("doctor").out
        assert sentence in installation.do("status").out
        [attention] = [item for item in installation.do("status", "--json").json["attention"]
                       if item["name"] == "late_mails"]
        assert (attention["tenant"], attention["count"]) == (installation.tenant, 3)
        metrics = running.client.get("/metrics").body.decode()
        assert f'tenure_attention{{name="late_mails",tenant="{installation.tenant}"}} 3' in metrics.splitlines()
        assert ADDRESS not in metrics + running.said


def test_letters_wait_while_the_password_for_the_mail_server_is_wrong(installation, home):
    credentials = home / "credentials"
    with MailServer(with_password=True) as server:
        credentials.write_text(f"{USER}\nanother password than it\n")
        options = ["--smtp", server.url, "--smtp-credentials-file", str(credentials)]
        with installation.serving(*options):
            issue(installation)
            eventually(lambda: mails(installation)[0]["attempts"], lambda count: count == 1)
        assert states(installation) == ["waiting"]
        assert "535" in installation.run("doctor").out
        credentials.write_text(f"{USER}\n{PASSWORD}\n")
        installation.set_clock(900)
        with installation.serving(*options):
            server.wait_for(1)
            eventually(lambda: states(installation), lambda found: found == ["sent"])


def test_a_waiting_letter_that_a_restore_takes_over_is_held(installation):
    installation.do("backup", "copy.sqlite")
    license = issue(installation)
    installation.do("restore", "copy.sqlite", "--replace", "--carry-issued")
    assert states(installation) == ["held"]
    assert "letters: 1 are held since a restore" in installation.run("doctor").out
    installation.do("mail", "retry", "--tenant", installation.tenant, "--state", "held")
    with MailServer() as server, installation.serving("--smtp", server.url):
        server.wait_for(1)
        assert license["licenseKey"] in text(server.letters[0]).split()
        eventually(lambda: states(installation), lambda found: found == ["sent"])


@pytest.mark.parametrize("state", ["waiting", "sent"])
def test_a_command_to_retry_letters_that_wait_or_were_sent_is_refused(installation, state):
    refused = installation.run("mail", "retry", "--tenant", installation.tenant, "--state", state)
    assert refused.code == 2 and "use failed, bounced, held or superseded" in refused.err


def test_a_waiting_letter_is_not_sent_if_its_license_has_been_revoked(installation):
    license = issue(installation)
    installation.do("license", "revoke", license["id"])
    with MailServer() as server, installation.serving("--smtp", server.url):
        eventually(lambda: states(installation), lambda found: found == ["superseded"])
        assert server.letters == []


def test_a_server_with_a_mail_folder_writes_a_letter_with_the_license_key_to_a_file(installation, home):
    license = issue(installation)
    with installation.serving("--mail-folder", str(home / "letters")):
        eventually(lambda: states(installation), lambda found: found == ["sent"])
    (file,) = (home / "letters").iterdir()
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.SMTP)
    assert license["licenseKey"] in message.get_content().split()
