"""A mail server on loopback whose responses a test can replace, and its certificate authority."""

import asyncio
import datetime
import ipaddress
import socket
import ssl
import threading
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import secrecy

USER, PASSWORD = "token-of-the-relay", secrecy.keep("correct horse battery staple")


class Authority:
    """A certificate authority, and the certificate of 127.0.0.1 that it issued."""

    def __init__(self, folder: Path, name: str = "authority"):
        self.file = folder / f"{name}.pem"
        self._chain = folder / f"{name}-server.pem"
        now = datetime.datetime.now(datetime.timezone.utc)
        own, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

        def builder(public, common):
            return (x509.CertificateBuilder().subject_name(common).issuer_name(subject).public_key(public)
                    .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
                    .not_valid_after(now + datetime.timedelta(days=2)))

        root = builder(own.public_key(), subject).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(own, hashes.SHA256())
        host = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
        leaf = builder(key.public_key(), host).add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False).sign(
                own, hashes.SHA256())
        pem = serialization.Encoding.PEM
        self.file.write_bytes(root.public_bytes(pem))
        self._chain.write_bytes(leaf.public_bytes(pem) + key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    @property
    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._chain)
        return context


class Dialogue(SMTP):
    """The dialogue of one connection, in which a test may replace responses."""

    async def smtp_EHLO(self, hostname):
        self.plan.names.append(hostname)
        if not await self._replaced("EHLO"):
            await super().smtp_EHLO(hostname)

    async def smtp_HELO(self, hostname):
        if not await self._replaced("EHLO"):
            await super().smtp_HELO(hostname)

    async def smtp_AUTH(self, arg):
        if not await self._replaced("AUTH"):
            await super().smtp_AUTH(arg)

    async def smtp_MAIL(self, arg):
        if not await self._replaced("MAIL"):
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg):
        if not await self._replaced("RCPT"):
            await super().smtp_RCPT(arg)

    async def smtp_DATA(self, arg):
        if not await self._replaced("DATA"):
            await super().smtp_DATA(arg)

    async def _replaced(self, step: str) -> bool:
        self.plan.steps.append(step)
        response = self.plan.responses.get(step)
        if response == "silence":
            return True
        if response == "cut":
            self.transport.close()
            return True
        if response:
            await self.push(response)
        return response is not None


class MailServer:
    """Receives letters; `responses` replaces those to EHLO, AUTH, MAIL, RCPT, DATA, and to the letter itself (`.`)."""

    def __init__(self, authority: Authority | None = None, is_encrypted: bool = False, with_password: bool = False):
        self.responses: dict[str, str] = {}
        self.letters: list = []
        self.steps: list[str] = []
        self.names: list[str] = []
        # Whether the server never responds to a letter after it has received the letter.
        self.hang_after_letter = False
        self._changed = threading.Condition()
        plan = self

        class Listener(Controller):
            def factory(self):
                dialogue = Dialogue(self.handler, **self.SMTP_kwargs)
                dialogue.plan = plan
                return dialogue

            def _trigger_server(self):
                # The overridden method connects to the requested port, which is 0 here.
                socket.create_connection(self.server.sockets[0].getsockname()).close()

        options = {"auth_require_tls": False} | (
            {"authenticator": self._authenticate, "auth_required": True} if with_password else {})
        if authority and not is_encrypted:
            options |= {"tls_context": authority.context, "require_starttls": True}
        self._controller = Listener(
            self, hostname="127.0.0.1", port=0, server_hostname="mail.example", enable_SMTPUTF8=False,
            ssl_context=authority.context if is_encrypted else None, **options)
        self._scheme = "smtps" if is_encrypted else "smtp"

    def _authenticate(self, server, session, envelope, mechanism, data) -> AuthResult:
        is_right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=is_right, handled=False)

    async def handle_DATA(self, server, session, envelope) -> str:
        response = self.responses.get(".")
        if response == "cut":
            server.transport.close()
            return "451 cut"
        if response is None:
            with self._changed:
                self.letters.append(envelope)
                self._changed.notify_all()
            while self.hang_after_letter:
                await asyncio.sleep(0.05)
        return response or "250 2.0.0 queued as 17"

    def wait_for(self, count: int, seconds: float = 60) -> None:
        """Waits until this many letters were accepted."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.letters) >= count, timeout=seconds), len(self.letters)

    def __enter__(self):
        self._controller.start()
        return self

    def __exit__(self, *_):
        self._controller.stop()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._controller.server.sockets[0].getsockname()[1]}"
