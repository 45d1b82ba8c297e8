"""A version as it was published: what its signed statement says, in the publisher's own copy."""

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.errors import AccordError, Problem
from accord.release.seal import seal

HINT = "--release is a version; --releases is the folder of the versions"


def statement(folder: Path, version: str, key: Ed25519PublicKey) -> dict[str, Any]:
    """The statement of a version. Raises AccordError where the folder isn't that version, signed with the key."""
    try:
        told = seal.read((folder / seal.ENVELOPE).read_bytes(), key)
    except (OSError, ValueError) as error:
        what = str(error) if isinstance(error, ValueError) else "there is no such release"
        raise AccordError(Problem(f"release {version}", what, HINT)) from None
    if told["version"] != version:
        raise AccordError(Problem(f"release {version}", f"its folder holds version {told['version']}", HINT))
    return told
