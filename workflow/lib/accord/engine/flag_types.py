"""What the text of a flag is read as. No flag takes NaN or an infinity: nothing is below or above such a threshold."""

import argparse
import json
import math
from typing import Any, NoReturn


def boolean(text: str) -> bool:
    """True or false."""
    choices = {"true": True, "false": False}
    if text.lower() not in choices:
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return choices[text.lower()]


def number(text: str) -> float:
    """A finite number."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return found


def values(text: str) -> Any:
    """JSON, which has no NaN and no infinities, though Python reads them."""
    try:
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"is not JSON: {error.msg} at character {error.pos}") from None


def _refused(name: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"has {name}, which is not a finite number")
