"""How a private key can be written down, and whether a file's bytes hold it in one of these ways."""

import base64
import re
import string
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

ESCAPES = re.compile(rb"\\[nrt]")
PREFIXES = re.compile(rb"0[xX]")
NO_WORDS = bytes(set(range(256)) - set(b"+/-_" + (string.ascii_letters + string.digits).encode()))
NO_HEX = bytes(set(range(256)) - set(string.hexdigits.encode()))
OFFSETS = re.compile(rb"(?m)^\s*[0-9a-fA-F]{4,16}:?\s")
"""The places that xxd and hexdump write before each line."""
BESIDE = re.compile(rb"(?m)( {2}\S.{0,15}|\|.{0,16}\|)$")
"""The characters that they write behind each line."""
FROM_URL = bytes.maketrans(b"-_", b"+/")
Name = TypeVar("Name")


class Secret(NamedTuple):
    """Bytes of a key, one of which each copy holds, and how they are written in base64 and in hex."""

    raw: bytes
    base64: tuple[bytes, ...]
    hex: bytes


def secrets(key: PrivateKeyTypes) -> tuple[Secret, ...]:
    """What copies of a key hold: of Ed25519 its 32 bytes, of others DER; the first line of PEM, which may be coded
    again."""
    der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    raw = key.private_bytes_raw() if isinstance(key, Ed25519PrivateKey) else der
    return tuple(Secret(one, _base64(one), one.hex().encode()) for one in (raw, pem.splitlines()[1]))


def holds(data: bytes, secrets: tuple[Secret, ...]) -> bool:
    """Whether some bytes hold one of these: as it is, in hex of either case, or in base64 or base64url at any of its
    three places; with anything between the signs, also in UTF-16 or UTF-32, as a C array or a hex dump."""
    return bool(held(data, {"": secrets}))


def held(data: bytes, keys: Mapping[Name, tuple[Secret, ...]]) -> list[Name]:
    """The keys that some bytes hold (`holds`); the bytes are read in each way once, for all keys."""
    text = data.replace(b"\0", b"")
    words = (ESCAPES.sub(b"", text) if b"\\" in text else text).translate(FROM_URL, NO_WORDS)
    dumps = _dumps(text)
    return [
        name
        for name, secrets in keys.items()
        if any(
            secret.raw in data
            or secret.raw in text
            or any(form in words for form in secret.base64)
            or any(secret.hex in dump for dump in dumps)
            for secret in secrets
        )
    ]


def _dumps(text: bytes) -> set[bytes]:
    """The hex digits of a text in order: of all of it, without the offsets of a dump, and without its characters."""
    bare = OFFSETS.sub(b"", text)
    parts = {text, bare, BESIDE.sub(b"", bare)}
    has_prefixes = b"0x" in text or b"0X" in text
    return {(PREFIXES.sub(b"", part) if has_prefixes else part).translate(None, NO_HEX).lower() for part in parts}


def _base64(secret: bytes) -> tuple[bytes, ...]:
    """What a secret is in base64 whatever stands before and behind it: without the signs that these decide, too."""
    forms = []
    for before in range(3):
        bits = 8 * before
        signs = base64.b64encode(bytes(before) + secret).rstrip(b"=")
        forms.append(signs[-(-bits // 6) : (bits + 8 * len(secret)) // 6])
    return tuple(forms)
