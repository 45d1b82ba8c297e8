"""Canonical JSON (RFC 8785): equal values have equal bytes, so that they can be hashed and signed.

Keys here are ASCII, numbers whole: for these Python's order and forms are the standard's.
"""

import json
from typing import Any

_TEXT = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
LONGEST = 1 << 26
"""Bytes of the longest document that is read."""


def encode(value: Any) -> bytes:
    """The bytes of a value: sorted keys, no spaces, UTF-8."""
    return _TEXT.encode(value).encode()


def decode(data: bytes) -> Any:
    """The value of canonical bytes. Raises ValueError where they are no JSON, or not in canonical form."""
    if len(data) > LONGEST:
        raise ValueError(f"is longer than {LONGEST} bytes")
    try:
        value = json.loads(data)
        canonical = encode(value) == data
    except (ValueError, RecursionError):
        raise ValueError("is not valid JSON") from None
    if not canonical:
        raise ValueError("is not in canonical form")
    return value
