"""The stylesheet and the script that each page carries, and the policy that allows these and nothing else."""

import base64
import hashlib
from pathlib import Path

from accord.engine import resources

HERE = resources.beside(__name__)
STYLE, SCRIPT, RANGES = "page.css", "page.js", "ranges.html.j2"


def folder() -> Path:
    """The folder of the templates that pages share: RANGES."""
    return HERE


def parts() -> dict[str, str]:
    """`style`, `script` and `policy` of a page. The policy allows its own style and script, and no network."""
    style, script = (HERE / STYLE).read_text(), (HERE / SCRIPT).read_text()
    own = f"style-src {_digest(style)}; script-src {_digest(script)}"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    return {"style": style, "script": script, "policy": policy}


def _digest(part: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"
