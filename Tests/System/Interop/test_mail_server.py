"""Sends letters to aiosmtpd, an independent mail server: STARTTLS, TLS, passwords and refusals at each step."""

import email
import email.policy

import catalogs
import pytest
import secrecy
from mail_server import PASSWORD, USER, Authority, MailServer

ENGINES = ["sqlite"]


@pytest.fixture
def tenant(shared_installation, shared_server):
    tenant = catalogs.fresh()
    catalog = catalogs.catalog(tenant)
    catalog["tenants"][0] |= {
        "name": "Söhne & Töchter", "mail": {"from": "keys@acme.example", "bounces": "bounces@acme.example"}}
    shared_installation.apply(catalog)
    return tenant


@pytest.fixture
def send(shared_installation, tenant, home):
    """Sends a letter with `tenure mail test`."""
    def send(server, *options, to="ada@shop.example", password=None):
        words = ["mail", "test", to, "--tenant", tenant, "--smtp", server.url, *options]
        if password:
            file = home / "credentials"
            file.write_text(f"{USER}\n{secrecy.keep(password)}\n")
            words += ["--smtp-credentials-file", str(file)]
        return shared_installation.run(*words)
    return send


def test_a_letter_arrives_with_its_sender_its_recipient_and_its_umlauts(send):
    with MailServer() as server:
        output = send(server, "--smtp-name", "licenses.example")
        assert output.code == 0 and "250 2.0.0 queued as 17" in output.out
        (envelope,) = server.letters
        assert (envelope.mail_from, envelope.rcpt_tos) == ("bounces@acme.example", ["ada@shop.example"])
        assert set(server.names) == {"licenses.example"}
        assert b"\n" not in envelope.original_content.replace(b"\r\n", b"")
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.SMTP)
        assert message["From"].addresses[0].addr_spec == "keys@acme.example"
        assert "Söhne & Töchter" in message.get_content()


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_letter_is_sent_over_starttls_or_tls_with_a_password(send, home, is_encrypted):
    authority = Authority(home)
    with MailServer(authority, is_encrypted, with_password=True) as server:
        output = send(server, "--smtp-ca", str(authority.file), password=PASSWORD)
        assert output.code == 0, output
        assert len(server.letters) == 1 and "AUTH" in server.steps


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_no_letter_is_sent_to_a_mail_server_whose_certificate_another_authority_signed(send, home, is_encrypted):
    other = Authority(home, "other")
    with MailServer(Authority(home), is_encrypted, with_password=True) as server:
        output = send(server, "--smtp-ca", str(other.file), password=PASSWORD)
        assert output.code == 1 and "refuses to send" in output.err, output
        assert not {"AUTH", "MAIL"} & set(server.steps)


def test_no_letter_is_sent_to_a_mail_server_without_starttls_if_a_certificate_authority_is_given(send, home):
    with MailServer(with_password=True) as server:
        output = send(server, "--smtp-ca", str(Authority(home).file), password=PASSWORD)
        assert output.code == 1, output
        assert not {"AUTH", "MAIL"} & set(server.steps)


def test_a_wrong_password_is_reported_with_the_mail_servers_response(send):
    with MailServer(with_password=True) as server:
        output = send(server, password="wrong password of the operator")
        assert output.code == 1 and "535" in output.err and "refuses to send" in output.err
        assert send(server, password=PASSWORD).code == 0


@pytest.mark.parametrize("step, response, words", [
    ("EHLO", "421 4.7.0 try again later", "may be later"),
    ("MAIL", "451 4.3.0 try again", "may be later"),
    ("MAIL", "550 5.7.1 sender unverified", "refuses to send"),
    ("RCPT", "450 4.2.1 greylisted", "may be later"),
    ("RCPT", "550 5.1.1 no such user", "refuses the address"),
    ("DATA", "451 4.3.0 no space", "may be later"),
    ("RCPT", "554 5.7.1 Relay access denied", "refuses the letter"),
    ("RCPT", "530 5.7.0 Authentication required", "refuses to send"),
    ("DATA", "554 5.5.1 no valid recipients", "refuses the letter"),
    (".", "452 4.3.1 no space", "may be later"),
    (".", "554 5.7.1 sender unverified", "refuses the letter"),
])
def test_a_mail_servers_refusal_is_explained_according_to_its_code_and_the_smtp_step(send, step, response, words):
    with MailServer() as server:
        server.responses[step] = response
        output = send(server)
        assert output.code == 1 and words in output.err and response in output.err, output
        assert server.letters == []


@pytest.mark.parametrize("step", ["EHLO", "RCPT", "."])
def test_a_cut_connection_to_the_mail_server_is_reported_as_temporary(send, step):
    with MailServer() as server:
        server.responses[step] = "cut"
        output = send(server)
        assert output.code == 1 and "may be later" in output.err, output


def test_an_unreachable_mail_server_is_reported_as_temporary(send):
    with MailServer() as server:
        url = server.url

    class Away:
        pass

    Away.url = url
    output = send(Away)
    assert output.code == 1 and "may be later" in output.err, output


def test_the_non_ascii_domain_of_a_recipient_is_sent_as_punycode(send):
    with MailServer() as server:
        assert send(server, to="ada@bücher.example").code == 0
        assert server.letters[0].rcpt_tos == ["ada@xn--bcher-kva.example"]


@pytest.mark.parametrize("address", ["adä@shop.example", "a,b@shop.example", "ada@shop.example>", "ada", "a@b@c"])
def test_an_invalid_recipient_address_is_refused_before_connecting_to_the_mail_server(send, address):
    with MailServer() as server:
        output = send(server, to=address)
        assert output.code == 1 and "can't be used" in output.err
        assert server.steps == []
