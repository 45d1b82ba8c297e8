"""The ways in which a private key is written down."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from accord.audit.records.key_forms import holds, secrets

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(200, 232)))
RAW = KEY.private_bytes_raw()


def written(encoding=Encoding.PEM, form=PrivateFormat.PKCS8, key=KEY):
    return key.private_bytes(encoding, form, NoEncryption())


PEM, URL = written(), base64.urlsafe_b64encode(RAW)
FORMS = {
    "PEM": PEM,
    "PEM without its first line": PEM.splitlines()[1],
    "PEM in JSON": json.dumps({"key": PEM.decode()}).encode(),
    "PEM in UTF-16": PEM.decode().encode("utf-16"),
    "PEM in UTF-32": PEM.decode().encode("utf-32-be"),
    "PEM, indented, other line ends": PEM.replace(b"\n", b"\r\n   "),
    "DER": written(Encoding.DER),
    "OpenSSH": written(form=PrivateFormat.OpenSSH),
    "bytes among others": b"a" * 50 + RAW + b"b" * 50,
    "hex": b"key=" + RAW.hex().encode(),
    "hex in upper case": RAW.hex().upper().encode(),
    "hex with colons": RAW.hex(":").encode(),
    "C array": ",\n".join(f"0x{value:02X}" for value in RAW).encode(),
    "escaped": "".join(f"\\x{value:02x}" for value in RAW).encode(),
    "xxd": "\n".join(f"{i:08x}: {RAW[i : i + 16].hex(' ', 2)}  abcdef.0123.beef" for i in (0, 16)).encode(),
    "hexdump": "\n".join(f"{i:08x}  {RAW[i : i + 16].hex(' ')}  |abcdef.0123.beef|" for i in (0, 16)).encode(),
    "base64": b"the key is " + base64.b64encode(RAW) + b" keep it",
    "base64 in lines": b"\n".join(base64.b64encode(RAW)[at : at + 20] for at in range(0, 44, 20)),
    "base64 behind one byte": base64.b64encode(b"x" + RAW + b"y"),
    "base64 behind two bytes": base64.b64encode(b"xy" + RAW + b"y"),
    "base64url": URL,
    "JWK": json.dumps({"kty": "OKP", "crv": "Ed25519", "d": URL.rstrip(b"=").decode()}).encode(),
    "base64 of PEM": base64.b64encode(PEM),
    "hex of PEM": PEM.hex().encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_copy_is_found_in_many_forms(form):
    assert holds(FORMS[form], secrets(KEY))


@pytest.mark.parametrize("form", FORMS)
def test_another_key_is_not(form):
    assert not holds(FORMS[form], secrets(Ed25519PrivateKey.generate()))


def test_keys_of_claims_are_found_too():
    key = ec.generate_private_key(ec.SECP256R1())
    for copy in (written(key=key), written(Encoding.DER, key=key), base64.b64encode(written(key=key))):
        assert holds(copy, secrets(key))
        assert not holds(copy, secrets(KEY))


def test_no_sign_of_base64_is_taken_for_a_mark_of_hex():
    for start in range(200):
        key = Ed25519PrivateKey.from_private_bytes(bytes((start + at * 37) % 256 for at in range(32)))
        assert holds(base64.b64encode(b"x" + key.private_bytes_raw()), secrets(key))
