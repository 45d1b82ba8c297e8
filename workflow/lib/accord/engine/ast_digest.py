"""What a module of Python means: its code without comments, docstrings and layout, its imports, its strings, and the
signature of its `run`.

To parse all modules takes seconds, and each job of a cluster starts with it: so a module's meaning is kept beside its
bytecode, with the digest of the source that it is of, and is as trustworthy as that bytecode.
"""

import ast
import contextlib
import hashlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import NamedTuple

from accord import files

LONGEST_NAME = 100
KEPT = ".meaning"


class Meaning(NamedTuple):
    """digest: of the code, hexadecimal; imports: modules, and what is taken from them, as `package.module.name`, with
    a dot for each level of a relative one; strings: those that could name a file; run: of a step's `run`, parameter ->
    annotation and default (None: it has none) as they are written, and under `return` what it returns; tuples: named
    tuple -> its fields."""

    digest: str
    imports: list[str]
    strings: list[str]
    run: dict[str, list[str | None]]
    tuples: dict[str, list[str]]


def meaning(file: Path) -> Meaning:
    """The meaning of a module, kept or found. Raises SyntaxError where it is no Python."""
    source = file.read_bytes()
    of = hashlib.sha256(source).hexdigest()
    kept = Path(importlib.util.cache_from_source(str(file))).with_suffix(KEPT)
    found = _kept(kept, of)
    if found is None:
        found = _found(source)
        _keep(kept, {"of": of, **found._asdict()})
    return found


def _emptied(docstring: ast.stmt) -> None:
    if isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant):
        docstring.value.value = ""


def _found(source: bytes) -> Meaning:
    nodes = list(ast.walk(tree := ast.parse(source)))
    imports = [name for node in nodes for name in _imports(node)]
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            _emptied(node.body[0])
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    run = {name: told for node in tree.body for name, told in _run(node).items()}
    tuples = {node.name: _fields(node) for node in tree.body if isinstance(node, ast.ClassDef) and _is_tuple(node)}
    return Meaning(digest, imports, sorted(filter(_is_file_name, strings)), run, tuples)


def _run(node: ast.stmt) -> dict[str, list[str | None]]:
    if not (isinstance(node, ast.FunctionDef) and node.name == "run"):
        return {}
    plain, named = [*node.args.posonlyargs, *node.args.args], node.args.kwonlyargs
    defaults = [*[None] * (len(plain) - len(node.args.defaults)), *node.args.defaults, *node.args.kw_defaults]
    told = {arg.arg: [_text(arg.annotation), _text(of)] for arg, of in zip([*plain, *named], defaults, strict=True)}
    return {**told, "return": [_text(node.returns), None]}


def _text(node: ast.expr | None) -> str | None:
    return ast.unparse(node) if node is not None else None


def _is_tuple(node: ast.ClassDef) -> bool:
    return "NamedTuple" in map(ast.unparse, node.bases)


def _fields(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(of.target) for of in node.body if isinstance(of, ast.AnnAssign)]


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        return [base, *(f"{base}{'.' if node.module else ''}{alias.name}" for alias in node.names)]
    return []


def _is_file_name(text: str) -> bool:
    return 0 < len(text) < LONGEST_NAME and text.isprintable() and text not in (".", "..")


def _kept(kept: Path, of: str) -> Meaning | None:
    try:
        told = json.loads(kept.read_bytes())
        return Meaning(**told) if told.pop("of") == of else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _keep(kept: Path, told: dict) -> None:
    """Keep it for the next process; a checkout that can't be written to goes without."""
    if not sys.dont_write_bytecode:
        with contextlib.suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            files.replace(kept, json.dumps(told).encode())
