"""Digest of a step's code: its module and all that it imports from this package.

Comments, docstrings and layout don't count. Files that a module names by a plain string and that lie beside it
(a vocabulary, a template, model weights) do.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent
PACKAGE = ROOT.name


@cache
def digest(step: str) -> str:
    """Twelve hexadecimal digits for the code of the step `room.name`. Raises ValueError where there is none."""
    start = _file(f"{PACKAGE}.{step}")
    if start is None:
        raise ValueError(f"No step {step!r}: there is no module {PACKAGE}/{step.replace('.', '/')}.py")
    hashed = hashlib.blake2b(digest_size=6)
    for file in sorted(_closure(start)):
        hashed.update(str(file.relative_to(ROOT)).encode() + b"\0" + _meaning(file))
    return hashed.hexdigest()


def _closure(start: Path) -> set[Path]:
    """All files of this package that are imported from `start`, directly or not."""
    seen, queue = set(), [start]
    while queue:
        file = queue.pop()
        if file not in seen:
            seen.add(file)
            queue += [found for module in _imports(file) if (found := _file(module))]
    return seen


@cache
def _imports(file: Path) -> tuple[str, ...]:
    modules = []
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _base(file, node)
            modules += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    ours = [module.split(".") for module in modules if module.split(".")[0] == PACKAGE]
    return tuple(".".join(parts[:end]) for parts in ours for end in range(1, len(parts) + 1))


def _base(file: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parents = file.relative_to(ROOT.parent).parts[: -node.level]
    return ".".join([*parents, *([node.module] if node.module else [])])


def _file(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split(".")[1:])
    candidates = [path / "__init__.py", path.with_suffix(".py")]
    return next((file for file in candidates if file.is_file()), None)


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def _meaning(file: Path) -> bytes:
    """The code without comments, docstrings and layout, and the digests of the data files that it names."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0].value.value = ""
    names = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    data = [_data_digest(file.parent / name) for name in sorted(names) if _is_file_name(name)]
    return ast.dump(tree).encode() + b"".join(data)


def _is_file_name(name: str) -> bool:
    return 0 < len(name) < 100 and "\0" not in name and "\n" not in name and name not in (".", "..")


def _data_digest(path: Path) -> bytes:
    if not path.is_file() or path.suffix == ".py" or not path.resolve().is_relative_to(ROOT):
        return b""
    return hashlib.sha256(path.read_bytes()).digest()
