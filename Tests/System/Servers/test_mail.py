"""Tests that two servers on one store send each letter once."""

import email
import email.policy

import catalogs
from mail_server import MailServer
from waiting import eventually

COUNT = 40


def test_two_servers_send_each_letter_once(pair):
    installation = pair.installation
    installation.do("init")
    catalog = catalogs.catalog(pair.tenant)
    catalog["tenants"][0]["mail"] = {"from": "keys@acme.example"}
    installation.apply(catalog)
    rows = "".join(f"customer-{number}@shop.example\n" for number in range(COUNT))
    (installation.home / "customers.csv").write_text(f"holder\n{rows}")
    with MailServer() as server:
        pair.discard()
        pair.servers = [each.start("--smtp", server.url) for each in pair.installations]
        installation.do(
            "license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro", "--order", "1001",
            "--from", str(installation.home / "customers.csv"), "--out", str(installation.home / "keys.csv"), "--mail")
        server.wait_for(COUNT)

        def states() -> set[str]:
            page = installation.do("mail", "list", "--tenant", pair.tenant, "--limit", "1000", "--json").json["mails"]
            return {(mail["state"], mail["attempts"]) for mail in page}

        eventually(states, lambda found: found == {("sent", 1)})
        messages = [email.message_from_bytes(letter.original_content, policy=email.policy.SMTP)
                    for letter in server.letters]
        assert len(messages) == len({message["Message-ID"] for message in messages}) == COUNT
        assert len({message["To"] for message in messages}) == COUNT
