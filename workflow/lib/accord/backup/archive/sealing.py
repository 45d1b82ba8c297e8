"""One object of a backup: padded, encrypted under a key of its own, which only the keys of all its people open.

magic | nonce 12 | wrapped key 48 | nonce 12 | ciphertext and tag. Both are AES-256-GCM (NIST SP 800-38D); the wrapping
key is HKDF-SHA256 (RFC 5869) of the general key and of each person's key. The associated data are the magic, the
backup's id and the object's name: an object stands for none but itself.
"""

import hashlib
import hmac
import secrets
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MAGIC = b"accord-backup/1\0"
KEY, NONCE, TAG = 32, 12, 16
SMALLEST = 4096
OVERHEAD = len(MAGIC) + NONCE + KEY + TAG + NONCE + TAG
LENGTH = 8


class Secret(NamedTuple):
    """What opens an object: of which backup it is (its id), the general key, the keys of its people by their ids."""

    backup: str
    general: bytes
    keys: dict[str, bytes]

    def derive(self, purpose: str) -> bytes:
        """A key for a purpose, which needs every one of the keys."""
        material = self.general + b"".join(self.keys[name] for name in sorted(self.keys))
        info = b"\0".join([MAGIC, self.backup.encode(), purpose.encode()])
        return HKDF(SHA256(), KEY, salt=None, info=info).derive(material)


class TamperedError(Exception):
    """An object that isn't what was written under its name with these keys."""


def name(secret: Secret, payload: bytes) -> str:
    """The name of an object: the same for the same content and people, a random text to whoever lacks a key."""
    return hmac.new(secret.derive("name"), payload, hashlib.sha256).hexdigest()[:32]


def seal(secret: Secret, name: str, payload: bytes) -> bytes:
    """An object's bytes; other ones each time."""
    bound, key = _bound(secret, name), secrets.token_bytes(KEY)
    first, second = secrets.token_bytes(NONCE), secrets.token_bytes(NONCE)
    wrapped = AESGCM(secret.derive(f"wrap {name}")).encrypt(first, key, bound)
    return MAGIC + first + wrapped + second + AESGCM(key).encrypt(second, padded(payload), bound)


def unseal(secret: Secret, name: str, data: bytes) -> bytes:
    """The payload of an object. Raises TamperedError where a bit of it differs, or it was written for another name."""
    if len(data) < OVERHEAD or not data.startswith(MAGIC):
        raise TamperedError
    at = len(MAGIC)
    first, wrapped = data[at : at + NONCE], data[at + NONCE : at + NONCE + KEY + TAG]
    at += NONCE + KEY + TAG
    bound = _bound(secret, name)
    try:
        key = AESGCM(secret.derive(f"wrap {name}")).decrypt(first, wrapped, bound)
        return _unpadded(AESGCM(key).decrypt(data[at : at + NONCE], data[at + NONCE :], bound))
    except InvalidTag:
        raise TamperedError from None


def padme(size: int) -> int:
    """A length of at least `size` that tells little of it: at most 12% more (Nikitin et al. 2019, PADMÉ)."""
    if size < 2:
        return size
    exponent = size.bit_length() - 1
    free = exponent - exponent.bit_length()
    mask = (1 << max(free, 0)) - 1
    return (size + mask) & ~mask


def padded(payload: bytes) -> bytes:
    """The payload with its length before it and zeros after it."""
    data = len(payload).to_bytes(LENGTH, "big") + payload
    return data.ljust(max(SMALLEST, padme(len(data))), b"\0")


def _unpadded(data: bytes) -> bytes:
    return data[LENGTH : LENGTH + int.from_bytes(data[:LENGTH], "big")]


def _bound(secret: Secret, name: str) -> bytes:
    return b"\0".join([MAGIC, secret.backup.encode(), name.encode()])
