"""Letters when servers are killed, the mail server is away or refuses, or the license changes meanwhile."""

import email
import email.policy

import catalogs
import pytest
from mail_server import PASSWORD, USER, MailServer
from waiting import eventually

ADDRESS = "ada.lovelace@shop.example"


@pytest.fixture
def installation(installation):
    installation.moves_time()
    installation.tenant = catalogs.fresh()
    catalog = catalogs.catalog(installation.tenant)
    catalog["tenants"][0]["mail"] = {"from": "keys@acme.example"}
    installation.apply(catalog)
    return installation


def issue(installation) -> dict:
    """Issues a license, and lets its key be sent."""
    return installation.issue(
        installation.tenant, "notes", "pro", "--holder-email", ADDRESS, "--mail")


def states(installation) -> list[str]:
    return [mail["state"] for mail in mails(installation)]


def mails(installation) -> list[dict]:
    return installation.do("mail", "list", "--tenant", installation.tenant, "--json").json["mails"]


def ids(server) -> list[str]:
    messages = [email.message_from_bytes(letter.original_content, policy=email.policy.SMTP) for letter in server.letters]
    return [message["Message-ID"] for message in messages]


def test_a_letter_is_sent_again_after_a_kill_with_the_same_message_id(installation):
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


def test_letters_wait_while_the_mail_server_is_away(installation):
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


def test_a_wrong_password_fails_no_letter(installation, home):
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


def test_a_license_that_is_revoked_meanwhile_gets_no_letter(installation):
    license = issue(installation)
    installation.do("license", "revoke", license["id"])
    with MailServer() as server, installation.serving("--smtp", server.url):
        eventually(lambda: states(installation), lambda found: found == ["superseded"])
        assert server.letters == []


def test_a_letter_is_written_into_a_folder(installation, home):
    license = issue(installation)
    with installation.serving("--mail-folder", str(home / "letters")):
        eventually(lambda: states(installation), lambda found: found == ["sent"])
    (file,) = (home / "letters").iterdir()
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.SMTP)
    assert license["licenseKey"] in message.get_content().split()
