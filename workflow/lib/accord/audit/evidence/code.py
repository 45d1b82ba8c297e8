"""Code: whether what made a file is the code of this checkout."""

from collections.abc import Iterable
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.engine import source

CODE = About("code")
HINT = "to reproduce it, check out the code of that time; the output itself is unaffected"


def checks(records: Iterable[dict[str, Any]]) -> list[Check]:
    """Each step's recorded digest, held against that of its source here. Other code is told, not condemned."""
    recorded = sorted({(record["step"], record["code"]) for record in records})
    told = [_check(step, code) for step, code in recorded]
    others = [check for check in told if check]
    same = len(told) - len(others)
    return [
        *others,
        *([CODE.passed("code", f"{same} step(s) were run with the code of this checkout")] if same else []),
    ]


def _check(step: str, code: str) -> Check | None:
    try:
        here = source.digest(step)
    except (ValueError, SyntaxError):
        return CODE.warned("code", f"made by a step that this checkout doesn't have [{code}]", step, HINT)
    if here == code:
        return None
    return CODE.warned("code", f"made by different code: {code}; this checkout has {here}", step, HINT)
