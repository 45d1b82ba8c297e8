"""A notice as a message for the holder: a file that any mail program opens and sends, or sent by SMTP.

Nothing is ever sent without TLS and a certificate that this machine trusts.
"""

import os
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from accord.errors import AccordError, Problem

MESSAGE = "notice.eml"
USER, PASSWORD = "ACCORD_SMTP_USER", "ACCORD_SMTP_PASSWORD"
STARTTLS, TLS = "smtp", "smtps"
PORTS = {STARTTLS: 587, TLS: 465}
WRONG = (ValueError, IndexError, MessageError)
"""What the standard library's parser raises at what is no address."""
TIMEOUT = 30
"""Seconds to wait for the server."""


class Server(NamedTuple):
    """A mail server: smtp (TLS is begun before anything is said) or smtps (TLS from the first byte)."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> "Server":
        """Of `smtps://host` or `smtp://host:port`. Raises AccordError where it is neither."""
        hint = f"give smtps://mail.example.org or smtp://mail.example.org:587; user and password: {USER}, {PASSWORD}"
        try:
            parts = urlsplit(url)
            port = parts.port or PORTS.get(parts.scheme, 0)
        except ValueError:
            raise AccordError(Problem("--smtp", "is not a valid URL", hint)) from None
        if parts.scheme not in PORTS or not parts.hostname or parts.username or parts.path not in ("", "/"):
            raise AccordError(Problem("--smtp", "is not a mail server's URL", hint))
        return cls(parts.scheme, parts.hostname, port)


def message(name: str, contact: str, version: str, text: str, files: Mapping[str, bytes]) -> EmailMessage | None:
    """The message to a holder, files attached; None where the contact is not an e-mail address.

    It has no sender and no date, so that the same notice gives the same bytes; who sends it adds them.
    """
    try:
        to = Address(display_name=name, addr_spec=contact.strip())
    except WRONG:
        return None
    if not to.domain or any(ord(one) < 32 for one in f"{name}{contact}"):
        return None
    made = draft(f"Data to delete from release {version}", text, files, boundary=f"accord-{version}-notice")
    made["To"] = to
    return made


def draft(subject: str, text: str, files: Mapping[str, bytes], *, boundary: str) -> EmailMessage:
    """A message without a recipient, files attached; mail programs open it as a draft."""
    made = EmailMessage()
    made["Subject"] = subject
    made["X-Unsent"] = "1"
    made.set_content(text)
    for file, data in files.items():
        made.add_attachment(data, maintype="application", subtype="json", filename=file)
    if files:
        made.set_boundary(boundary)
    return made


def as_file(draft: EmailMessage) -> bytes:
    """A draft as a file: with the ends of lines that the standard asks for (RFC 5322)."""
    return draft.as_bytes(policy=SMTP)


def as_sent(draft: EmailMessage, sender: str) -> EmailMessage:
    """A draft with its sender and today's date."""
    del draft["X-Unsent"]
    try:
        draft["From"] = Address(addr_spec=sender)
    except WRONG:
        raise AccordError(Problem("--from", "is not an e-mail address", "answers go there")) from None
    draft["Date"] = formatdate()
    return draft


@contextmanager
def connected(server: Server) -> Iterator[smtplib.SMTP]:
    """An encrypted connection to a mail server, signed in with USER and PASSWORD of the environment where these are.

    Raises AccordError where there is none, TLS can't be had, or the server refuses.
    """
    trusted = ssl.create_default_context()
    try:
        if server.scheme == TLS:
            opened: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=trusted)
        else:
            opened = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
        with opened:
            if server.scheme == STARTTLS:
                opened.starttls(context=trusted)
            if os.environ.get(USER):
                opened.login(os.environ[USER], os.environ.get(PASSWORD, ""))
            yield opened
    except (
        OSError,
        smtplib.SMTPException,
    ) as error:  # its text can repeat an address
        hint = f"check the address, its certificate, and {USER} and {PASSWORD}; notices stay in the outbox"
        raise AccordError(Problem("--smtp", f"the mail was not sent ({type(error).__name__})", hint)) from None


def files_of(folder: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """Name -> content of files of a notice."""
    return {name: (folder / name).read_bytes() for name in names}
