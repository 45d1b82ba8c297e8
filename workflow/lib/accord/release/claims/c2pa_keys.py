"""What C2PA claims are signed with: a key and its certificates, in the vault.

Where there are none, a key (Ed25519) is made with a certificate from an authority of its own, whose key is thrown away:
readers call the claim valid, and its signer unknown. Put your own key and certificates in their place to be known.
The file is PEM: the private key, the signer's certificate, then those above it.
"""

from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.sealing.signing import FOLDER, private_text

NAME = "c2pa.pem"
CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
HINT = "restore the vault from a backup, or put a private key and its certificates there (PEM, the signer's first)"
USAGE = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
    *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)
VALID = (datetime(2020, 1, 1), datetime(2099, 12, 31))
"""Not from the day that they were made on: that would be told by each picture."""


def signing(vault: Path) -> tuple[str, bytes, bytes]:
    """(C2PA's name of the algorithm, certificates, private key), made where there are none.

    Raises AccordError where the file holds none that C2PA allows.
    """
    path = vault / FOLDER / NAME
    if not path.exists():
        _make(path)
    key, start, rest = path.read_bytes().partition(CERTIFICATE)
    algorithm = _algorithm(key)
    if not (algorithm and rest):
        raise AccordError(Problem(f"{FOLDER}/{NAME} in the vault", "has no key and certificates for C2PA", HINT))
    return algorithm, start + rest, key


def _algorithm(data: bytes) -> str:
    """C2PA's name of the algorithm that a key (PEM) is for; "" where it is none that C2PA allows."""
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError):
        return ""
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return "ed25519"
    curves = {"secp256r1": "es256", "secp384r1": "es384", "secp521r1": "es512"}
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return curves.get(key.curve.name, "")
    return "ps256" if isinstance(key, rsa.RSAPrivateKey) else ""


def _make(path: Path) -> None:
    authority, signer = ed25519.Ed25519PrivateKey.generate(), ed25519.Ed25519PrivateKey.generate()
    first = _certificate("signer of pictures", signer, authority, True)
    last = _certificate("authority", authority, authority, False)
    certificates = (one.public_bytes(serialization.Encoding.PEM) for one in (first, last))
    keep_private(path, private_text(signer) + b"".join(certificates))


def _certificate(name: str, key: Any, authority: Any, signs_pictures: bool) -> x509.Certificate:
    """A certificate as C2PA 2.x, section 14.5.1, wants it."""
    usage = dict.fromkeys(USAGE, False)
    usage |= {"digital_signature": True} if signs_pictures else {"key_cert_sign": True, "crl_sign": True}
    public, above = key.public_key(), authority.public_key()
    made = (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name("authority"))
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(VALID[0])
        .not_valid_after(VALID[1])
        .add_extension(x509.BasicConstraints(not signs_pictures, None if signs_pictures else 0), True)
        .add_extension(x509.KeyUsage(**usage), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(above), False)
    )
    if signs_pictures:
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), False)
    return made.sign(authority, None)


def _name(name: str) -> x509.Name:
    parts = (NameOID.ORGANIZATION_NAME, "Accord"), (NameOID.COMMON_NAME, f"Accord, {name}")
    return x509.Name([x509.NameAttribute(*part) for part in parts])
