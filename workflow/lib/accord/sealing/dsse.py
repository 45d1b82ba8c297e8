"""DSSE envelopes (version 1) around in-toto statements: what is signed, by whom, with Ed25519.

An envelope is canonical JSON on one line; equal statements under one key give equal bytes.
"""

from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.sealing import canonical, signing

PAYLOAD = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"


def statement(kind: str, digests: dict[str, dict[str, str]], predicate: dict) -> dict:
    """An in-toto statement (version 1) of a kind about things: name -> digests (algorithm -> hexadecimal digits)."""
    subject = [{"name": name, "digest": digest} for name, digest in digests.items()]
    return {"_type": STATEMENT, "subject": subject, "predicateType": kind, "predicate": predicate}


def seal(content: dict, key: Ed25519PrivateKey) -> bytes:
    """The envelope of a statement, signed."""
    payload = b64encode(canonical.encode(content)).decode()
    return canonical.encode({"payload": payload, "payloadType": PAYLOAD, "signatures": [signature(content, key)]})


def signature(content: dict, key: Ed25519PrivateKey) -> dict[str, str]:
    """The signature of a statement, for a document that tells it otherwise than in an envelope."""
    signed = key.sign(_to_sign(canonical.encode(content)))
    return {"keyid": signing.fingerprint(key.public_key()), "sig": b64encode(signed).decode()}


def is_signed(content: dict, by: dict[str, str], key: Ed25519PublicKey) -> bool:
    """Whether a signature is that of a key under a statement."""
    try:
        key.verify(b64decode(by["sig"], validate=True), _to_sign(canonical.encode(content)))
    except (InvalidSignature, KeyError, TypeError, ValueError):
        return False
    return by == {"keyid": signing.fingerprint(key), "sig": by["sig"]}


def unseal(envelope: bytes, kind: str, key: Ed25519PublicKey) -> dict[str, Any]:
    """The statement of a kind in an envelope. Raises ValueError where it isn't exactly one that the key has signed."""
    document = canonical.decode(envelope)
    payload, signature = _opened(document)
    try:
        key.verify(signature, _to_sign(payload))
    except InvalidSignature:
        raise ValueError("was not signed with this key, or was changed since") from None
    by = {"keyid": signing.fingerprint(key), "sig": b64encode(signature).decode()}
    if document != {"payload": b64encode(payload).decode(), "payloadType": PAYLOAD, "signatures": [by]}:
        raise ValueError("holds what the signature doesn't cover")
    content = canonical.decode(payload)
    if not isinstance(content, dict) or (content.get("_type"), content.get("predicateType")) != (STATEMENT, kind):
        raise ValueError(f"is not a valid statement of the kind {kind}")
    return content


def content(envelope: bytes) -> dict[str, Any]:
    """What an envelope holds, whoever signed it: nothing of it may be believed. Raises ValueError where it is none."""
    found = canonical.decode(_opened(canonical.decode(envelope))[0])
    if not isinstance(found, dict):
        raise ValueError("is not a valid DSSE envelope of one signed in-toto statement")
    return found


def _opened(document: Any) -> tuple[bytes, bytes]:
    """Payload and signature."""
    try:
        (by,) = document["signatures"]
        return b64decode(document["payload"], validate=True), b64decode(by["sig"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise ValueError("is not a valid DSSE envelope of one signed in-toto statement") from None


def _to_sign(payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    return b"DSSEv1 %d %s %d %s" % (len(PAYLOAD), PAYLOAD.encode(), len(payload), payload)
