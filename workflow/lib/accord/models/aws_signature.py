"""AWS Signature Version 4: the headers that prove who sent a request, and that nobody changed it.

Source: "Create a signed AWS API request" in AWS's IAM User Guide; held against its published test suite.
"""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote, urlsplit

ALGORITHM = "AWS4-HMAC-SHA256"
UNRESERVED = "-_.~"


class Keys(NamedTuple):
    """An access key: its id, its secret, and the session's token where it is a temporary one."""

    id: str
    secret: str
    token: str = ""

    def __repr__(self) -> str:
        return "Keys(...)"


class Scope(NamedTuple):
    """Where a signature holds: region and service, as AWS calls them."""

    region: str
    service: str


def signed(
    method: str, url: str, headers: Mapping[str, str], body: bytes, keys: Keys, scope: Scope, now: datetime
) -> dict[str, str]:
    """`headers` with those that sign them. url: without a query; now: UTC, within minutes of the server's clock."""
    parts, stamp = urlsplit(url), now.strftime("%Y%m%dT%H%M%SZ")
    told = {**headers, "X-Amz-Date": stamp} | ({"X-Amz-Security-Token": keys.token} if keys.token else {})
    every = {"host": parts.netloc} | {name.lower(): " ".join(value.split()) for name, value in told.items()}
    names = ";".join(sorted(every))
    lines = "".join(f"{name}:{every[name]}\n" for name in sorted(every))
    request = "\n".join([method, quote(parts.path or "/", "/" + UNRESERVED), "", lines, names, _sha256(body)])
    where = "/".join([stamp[:8], *scope, "aws4_request"])
    to_sign = "\n".join([ALGORITHM, stamp, where, _sha256(request.encode())])
    signature = hmac.new(_key(keys.secret, where), to_sign.encode(), "sha256").hexdigest()
    credential = f"Credential={keys.id}/{where}, SignedHeaders={names}, Signature={signature}"
    return {**told, "Authorization": f"{ALGORITHM} {credential}"}


def _key(secret: str, where: str) -> bytes:
    """The key of a day, a region and a service."""
    made = f"AWS4{secret}".encode()
    for part in where.split("/"):
        made = hmac.digest(made, part.encode(), "sha256")
    return made


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
