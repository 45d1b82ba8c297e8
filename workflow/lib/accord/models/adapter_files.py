"""Adapters in Python files of a user's own: what is wrong with such a file is told with its line."""

import ast
import importlib.util
import traceback
from pathlib import Path
from types import ModuleType

from accord.errors import AccordError, Problem

HINT = "an adapter is a class in an importable Python file; see the example in docs/models.md"


def source(path: Path) -> bytes:
    """What is in a file, which is Python. Raises AccordError where it can't be read, or is not."""
    try:
        code = path.read_bytes()
    except OSError as error:
        hint = "give the path relative to the run's folder"
        raise AccordError(Problem(str(path), f"can't be read ({error.strerror})", hint)) from None
    try:
        ast.parse(code)
    except (SyntaxError, ValueError) as error:
        raise AccordError(fault(error, path)) from None
    return code


def module(path: Path) -> ModuleType:
    """A file as a module; its code runs. Raises FileNotFoundError without it, and whatever its code raises."""
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}")
    spec = importlib.util.spec_from_file_location(f"adapter_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{path} is not a Python file")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def fault(error: Exception, path: Path) -> Problem:
    """The problem that an error is which came while a file was read as Python, or its code ran."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    where = f"{path}, line {line}" if line else str(path)
    return Problem(where, f"can't be loaded ({type(error).__name__}: {said})", HINT)
