"""Notices as messages: drafts in the outbox, and sent to a local mail server that insists on TLS."""

import email
import email.policy
import hashlib
import socket
import ssl
from datetime import UTC, date, datetime, timedelta

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from accord import cli
from accord.errors import AccordError
from accord.holders.notifying import mail, outbox
from accord.holders.register import grants

DAY = date(2026, 3, 1)
SENDER = "office@example.org"
IMAGE = hashlib.sha256(b"image 0").hexdigest()[:12]
"""The first image of the publisher's versions."""


class Kept:
    """A mail server's handler that keeps what it is given."""

    def __init__(self):
        self.messages = []

    async def handle_DATA(self, server, session, envelope):
        self.messages.append((envelope, session.ssl is not None, session.authenticated))
        return "250 OK"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of localhost and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(1))
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    own = x509.BasicConstraints(ca=True, path_length=0)
    signed = made.add_extension(names, critical=False).add_extension(own, critical=True).sign(key, hashes.SHA256())
    folder = tmp_path_factory.mktemp("tls")
    pem = signed.public_bytes(serialization.Encoding.PEM)
    form = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    (folder / "cert.pem").write_bytes(pem)
    (folder / "both.pem").write_bytes(pem + secret)
    return folder


@pytest.fixture
def server(certificate, monkeypatch):
    """A server with TLS after STARTTLS, and a user; its certificate is trusted."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "both.pem")

    def known(server, session, envelope, mechanism, data):
        return AuthResult(success=(data.login, data.password) == (b"office", b"secret"), handled=False)

    run = Controller(Kept(), hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True,
                     authenticator=known, auth_required=True)  # fmt: skip
    run.start()
    run.url = f"smtp://localhost:{run.port}"
    monkeypatch.setenv(mail.USER, "office")
    monkeypatch.setenv(mail.PASSWORD, "secret")
    yield run
    run.stop()


@pytest.fixture
def vault(publisher):
    """Of a version that two hold, one of them without an e-mail address; an image of it was revoked."""
    release = publisher.releases / "1.0.0"
    for name, contact in (("Zoë, Institute", "zoe@example.org"), ("Bo", "by telephone")):
        grants.grant(publisher.vault, release, name, contact)
    outbox.announce(publisher.vault, release, "1.0.0", publisher.revoke(IMAGE), today=DAY)
    return publisher.vault


def send(vault, url):
    return cli.main(["holders", "send", "--vault", str(vault), "--smtp", url, "--from", SENDER, "--on", "2026-03-02"])


def draft(vault):
    (path,) = (vault / outbox.FOLDER).glob(f"*/{mail.MESSAGE}")
    return path, email.message_from_bytes(path.read_bytes(), policy=email.policy.default)


def test_a_draft_lies_in_the_outbox_for_who_has_an_address(vault):
    path, told = draft(vault)
    assert told["To"] == '"Zoë, Institute" <zoe@example.org>' and told["X-Unsent"] == "1"
    assert "revocations.jsonl" in told.get_body().get_content() and told["Date"] is None
    attached = {one.get_filename(): one.get_content() for one in told.iter_attachments()}
    assert attached == {name: (path.parent / name).read_bytes() for name in (outbox.LIST, outbox.SIGNED)}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_draft_has_no_defect_by_the_standard(vault):
    """RFC 5322 and 2045, as email's strict policy reads them: lines of at most 998 bytes, in ASCII, ended by CRLF."""
    path, _ = draft(vault)
    data = path.read_bytes()
    strict = email.message_from_bytes(data, policy=email.policy.strict)
    assert [one.defects for one in strict.walk() if one.defects] == []
    assert data.isascii() and max(map(len, data.split(b"\r\n"))) <= 998 and b"\n" not in data.replace(b"\r\n", b"")
    assert {one.get_content_type() for one in strict.walk()} >= {"multipart/mixed", "text/plain"}


def test_a_notice_is_sent_once_by_tls_and_noted(vault, server, capsys):
    assert send(vault, server.url) == 3  # Bo has to be told another way
    ((envelope, is_encrypted, signed_in),) = server.handler.messages
    assert is_encrypted and signed_in
    assert (envelope.mail_from, envelope.rcpt_tos) == (SENDER, ["zoe@example.org"])
    told = email.message_from_bytes(envelope.content, policy=email.policy.default)
    assert told["From"] == SENDER and told["X-Unsent"] is None and told["Date"]
    assert {one["name"]: one["sent"] for one in outbox.waiting(vault)} == {"Zoë, Institute": "2026-03-02", "Bo": ""}
    assert send(vault, server.url) == 3 and len(server.handler.messages) == 1
    assert "0 sent; 1 without an e-mail address" in capsys.readouterr().out


def test_nothing_is_sent_to_a_server_that_nobody_vouches_for_or_with_a_wrong_password(vault, server, monkeypatch):
    monkeypatch.setenv(mail.PASSWORD, "wrong")
    with pytest.raises(AccordError, match="SMTPAuthenticationError") as raised:
        send(vault, server.url)
    assert "zoe" not in str(raised.value) and "wrong" not in str(raised.value)
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(AccordError, match="SSLCertVerificationError"):
        send(vault, server.url)
    assert server.handler.messages == [] and all(not one["sent"] for one in outbox.waiting(vault))


def test_nothing_is_sent_without_tls(vault, monkeypatch):
    plain = Controller(Kept(), hostname="127.0.0.1", port=free_port())
    plain.start()
    with pytest.raises(AccordError, match="SMTPNotSupportedError"):
        send(vault, f"smtp://localhost:{plain.port}")
    plain.stop()
    assert plain.handler.messages == []


@pytest.mark.parametrize("contact", ["by telephone", "a@b\nBcc: c@d.org", "@", "", "a@", "<a@b.org>, c@d.org"])
def test_what_is_no_address_makes_no_message(contact):
    assert mail.message("Bo", contact, "1.0.0", "text", {}) is None


@pytest.mark.parametrize("url", ["mail.example.org", "http://mail", "smtp://user:secret@mail", "smtp://mail:x"])
def test_a_server_is_named_by_its_url_without_a_password(url):
    with pytest.raises(AccordError, match="--smtp"):
        mail.Server.of(url)


def test_the_usual_ports_are_those_of_submission():
    assert mail.Server.of("smtp://mail") == ("smtp", "mail", 587)
    assert mail.Server.of("smtps://mail") == ("smtps", "mail", 465)
