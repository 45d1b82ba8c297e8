"""Keys, canonical JSON and DSSE envelopes."""

import base64
import hashlib
import json
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.sealing import canonical, dsse, signing

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KIND = "urn:example"
CONTENT = dsse.statement(KIND, {"thing": {"sha256": "00" * 32}}, {"größe": [1, None, "ä"]})


def test_a_key_is_made_once_and_private(tmp_path):
    vault = tmp_path / "vault"
    first = signing.signing_key(vault)
    path = vault / "keys" / "release.pem"
    assert signing.public_text(signing.signing_key(vault).public_key()) == signing.public_text(first.public_key())
    assert [p.name for p in path.parent.iterdir()] == ["release.pem"]
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert signing.public_text(signing.signing_key(tmp_path / "other").public_key()) != signing.public_text(
        first.public_key()
    )


def test_what_is_no_key_is_told(tmp_path):
    path = tmp_path / "keys" / "release.pem"
    path.parent.mkdir()
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    for data in (b"", b"nonsense", generate_private_key(SECP256R1()).private_bytes(*form)):
        path.write_bytes(data)
        with pytest.raises(AccordError, match=r"keys/release.pem in the vault: is not a valid Ed25519 key"):
            signing.signing_key(tmp_path)
        with pytest.raises(ValueError, match=r"is not a valid public key|is not a valid Ed25519 key"):
            signing.read_public(data)


def test_the_fingerprint_is_that_of_the_public_keys_der():
    text = signing.public_text(KEY.public_key()).decode()
    der = base64.b64decode("".join(text.splitlines()[1:-1]))
    assert signing.fingerprint(KEY.public_key()) == hashlib.sha256(der).hexdigest()


def test_an_envelope_is_dsses_and_always_the_same():
    envelope = dsse.seal(CONTENT, KEY)
    assert dsse.seal(CONTENT, KEY) == envelope
    document = json.loads(envelope)
    payload = base64.b64decode(document["payload"])
    statement = json.loads(payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"] == [{"name": "thing", "digest": {"sha256": "00" * 32}}]
    kind = b"application/vnd.in-toto+json"
    signed = b" ".join([b"DSSEv1", b"28", kind, str(len(payload)).encode(), payload])
    KEY.public_key().verify(base64.b64decode(document["signatures"][0]["sig"]), signed)
    assert document["payloadType"] == kind.decode()
    assert dsse.unseal(envelope, KIND, KEY.public_key()) == CONTENT


@pytest.mark.slow
def test_openssl_agrees_with_the_signature(tmp_path):
    document = json.loads(dsse.seal(CONTENT, KEY))
    payload = base64.b64decode(document["payload"])
    files = {
        "key": signing.public_text(KEY.public_key()),
        "sig": base64.b64decode(document["signatures"][0]["sig"]),
        "data": b"DSSEv1 28 application/vnd.in-toto+json %d " % len(payload) + payload,
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    call = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-rawin", "-in", "data", "-sigfile", "sig"]
    assert b"Verified Successfully" in subprocess.run(call, cwd=tmp_path, capture_output=True, check=True).stdout


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_changed_byte_of_an_envelope_is_found(draw):
    envelope = bytearray(dsse.seal(CONTENT, KEY))
    at = draw.draw(st.integers(0, len(envelope) - 1))
    envelope[at] ^= draw.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match=r"."):
        dsse.unseal(bytes(envelope), KIND, KEY.public_key())


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda d: d | {"more": 1}, "what the signature doesn't cover"),
        (lambda d: d | {"signatures": []}, "is not a valid DSSE envelope"),
        (lambda d: d | {"signatures": d["signatures"] * 2}, "is not a valid DSSE envelope"),
        (lambda d: d | {"payloadType": "text/plain"}, "what the signature doesn't cover"),
        (lambda d: d | {"payload": base64.b64encode(b"{}").decode()}, "was not signed with this key"),
        (lambda d: [d], "is not a valid DSSE envelope"),
    ],
)
def test_what_is_not_just_what_was_signed_is_told(change, what):
    changed = canonical.encode(change(json.loads(dsse.seal(CONTENT, KEY))))
    with pytest.raises(ValueError, match=what):
        dsse.unseal(changed, KIND, KEY.public_key())


def test_another_key_and_another_kind_are_told():
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    with pytest.raises(ValueError, match="was not signed with this key"):
        dsse.unseal(dsse.seal(CONTENT, other), KIND, KEY.public_key())
    with pytest.raises(ValueError, match="is not a valid statement of the kind urn:other"):
        dsse.unseal(dsse.seal(CONTENT, KEY), "urn:other", KEY.public_key())


def test_canonical_json_is_rfc_8785s():
    assert canonical.encode({"b": [1, True, None], "a": '€\n"/'}) == '{"a":"€\\n\\"/","b":[1,true,null]}'.encode()
    for data in (b'{"a": 1}', b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'"\\u0061"', b"1\n"):
        with pytest.raises(ValueError, match="is not in canonical form"):
            canonical.decode(data)
    for data in (b"", b"{", b"NaN", b"\xff", b"[" * 100_000, b'"\\ud800"'):
        with pytest.raises(ValueError, match="is not valid JSON"):
            canonical.decode(data)
