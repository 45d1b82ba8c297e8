"""Secrets for outside services: from the environment, or a file that its owner alone can read; never from settings."""

import os
from pathlib import Path

from accord.errors import AccordError, Problem

OTHERS = 0o077


def secret(name: str, form: str) -> str:
    """The secret in the environment variable `name`, or in the file that `name`_FILE names. `form`: what it looks like.

    Raises AccordError where neither is set, or others can read the file.
    """
    hint = f"set {name} ({form}), or {name}_FILE to a file of mode 0600 that holds it"
    if value := os.environ.get(name, "").strip():
        return value
    file = os.environ.get(f"{name}_FILE", "").strip()
    if not file:
        raise AccordError(Problem(name, "is not set", hint))
    try:
        if Path(file).stat().st_mode & OTHERS:
            raise AccordError(Problem(f"{name}_FILE", "can be read by others", "chmod 600 it"))
        value = Path(file).read_text("utf-8-sig").strip()
    except OSError as error:
        raise AccordError(Problem(f"{name}_FILE", f"can't be read ({type(error).__name__})", hint)) from None
    if not value:
        raise AccordError(Problem(f"{name}_FILE", "is empty", hint))
    return value
