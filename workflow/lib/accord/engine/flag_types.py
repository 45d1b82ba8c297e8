"""What the text of a flag is read as. No flag takes NaN or an infinity: nothing is below or above such a threshold."""

import argparse
import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from accord.command_line import meant


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


def count(text: str) -> int:
    """A whole number from 1 on."""
    return _whole(text, 1)


def seed(text: str) -> int:
    """A whole number from 0 on that has a place in the 8 bytes of a seed."""
    return _whole(text, 0, 2**64 - 1)


def _whole(text: str, least: int, most: float = math.inf) -> int:
    try:
        found = int(text)
    except ValueError:
        found = least - 1
    if not least <= found <= most:
        limits = f"from {least} on" if most == math.inf else f"from {least} to {most:,}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limits}")
    return found


def one_of(*names: str) -> Callable[[str], str]:
    """One of some names."""

    def name(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(names)}{meant(text, names)}")
        return text

    return name


def values(text: str) -> Any:
    """JSON, which has no NaN and no infinities, though Python reads them."""
    try:
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"is not JSON: {error.msg} at character {error.pos}") from None


def _refused(name: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"has {name}, which is not a finite number")
