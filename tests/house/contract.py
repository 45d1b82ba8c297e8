"""The contract of imports: who may import whom, and how large a folder may be. Run alone, it tells what breaks it.

It reads the modules as text, imports inside of functions included, and takes a second.
"""

import ast
import functools
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIB = ROOT / "workflow/lib"
WINGS = ("text", "engine", "sealing", "statistics", "imaging", "models", "abuse", "scan", "pages")
"""Ground wings: what several rooms need. They know no room."""
ROOMS = (
    *("intake", "consent", "review", "checks", "privacy", "release", "train", "evaluate", "analyse", "report"),
    *("look", "delivery", "backup", "holders", "erase", "audit"),
)
"""A room may import wings, and the rooms before it."""
BESIDE = "accord_demo"
"""A package of its own, which may import all rooms, and none of them it."""
MOST_BOXES, MOST_PARTS = 40, 18
"""Files and folders directly in a folder; files in a folder of parts."""
LARGER = {"models/adapters": 34, "evaluate": 44, "analyse": 54}
"""An adapter and a step are files of their own, whose names are interfaces: these folders have many."""
ALONE = {"privacy.video"}
"""Steps that no rule runs: a person does, for one file."""

BY_NAME = ("import_module", "__import__")
"""Functions that import the module that a text names."""

Graph = Mapping[str, set[str]]


def modules(lib: Path) -> dict[str, Path]:
    """Name below `accord` -> file of each module; a package by its own name."""
    found = {}
    for file in sorted((lib / "accord").rglob("*.py")):
        parts = file.relative_to(lib / "accord").with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def graph(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Module -> the modules of this package that it imports, anywhere in its text."""
    return {name: set(imported(file.read_text(), files)) - {name, ""} for name, file in files.items()}


def imported(text: str, known: Iterable[str]) -> Iterator[str]:
    """The modules, of those `known`, that a text imports."""
    for name in _taken(text):
        if name.partition(".")[0] == "accord":
            own = name.removeprefix("accord").removeprefix(".")
            while own and own not in known:
                own = own.rpartition(".")[0]
            yield own


def _taken(text: str) -> Iterator[str]:
    """What a text imports, by its full name."""
    for node in _importing(text):
        if isinstance(node, ast.Import | ast.ImportFrom):
            home = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from (f"{home}{alias.name}" for alias in node.names)
        if isinstance(node, ast.Call) and _callee(node) in BY_NAME:
            given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "name")]
            yield from map(_beginning, given)


@functools.cache
def _importing(text: str) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    """The nodes of a text that may import: read once for all that is asked of them."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom | ast.Call)]


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _beginning(text: ast.expr) -> str:
    """The text of an expression, as far as it stands in the code: of f"accord.models.{name}", `accord.models`."""
    while isinstance(text, ast.BinOp | ast.JoinedStr):
        text = text.left if isinstance(text, ast.BinOp) else (text.values or [ast.Constant("")])[0]
    return text.value.rstrip(".") if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""


def unit(module: str) -> str:
    """The wing or the room of a module; a file directly in `accord` is a unit of its own."""
    return module.partition(".")[0]


def backward(imports: Graph) -> list[str]:
    """Imports of a room by a wing or a loose file, or by a room that comes before it."""
    place = {room: number for number, room in enumerate(ROOMS)}
    pairs = [(a, b, place.get(unit(a), -1), place.get(unit(b), -1)) for a in imports for b in imports[a]]
    return sorted(f"{a} imports {b}, which comes after it" for a, b, of, to in pairs if to > of)


def outside(lib: Path) -> list[str]:
    """Modules of `accord` that import the demo's package, which no install has."""
    texts = {file: file.read_text() for file in (lib / "accord").rglob("*.py")}
    return sorted(f"{file.relative_to(lib)} imports {BESIDE}" for file, text in texts.items() if _names(text, BESIDE))


def relative(lib: Path) -> list[str]:
    """Modules with an import that doesn't name its module in full: where it leads depends on where it stands."""
    texts = {file: file.read_text() for file in (lib / "accord").rglob("*.py")}
    found = [file for file, text in texts.items() if any(map(_is_relative, _importing(text)))]
    return sorted(f"{file.relative_to(lib)} has a relative import: name the module in full" for file in found)


def _is_relative(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.level > 0


def _names(text: str, package: str) -> bool:
    return any(name.partition(".")[0] == package for name in _taken(text))


def circles(imports: Graph) -> list[list[str]]:
    """Groups of nodes each of which can be reached from each other one."""
    reached = {start: _reached(start, imports) for start in imports}
    found = {frozenset(b for b in reached[a] if a in reached[b]) for a in imports if a in reached[a]}
    return sorted(sorted(one) for one in found)


def _reached(start: str, imports: Graph) -> set[str]:
    seen, queue = set(), list(imports[start])
    while queue:
        if (one := queue.pop()) not in seen:
            seen.add(one)
            queue += imports.get(one, ())
    return seen


def between(imports: Graph) -> dict[str, set[str]]:
    """The graph of units."""
    made: dict[str, set[str]] = {}
    for module, others in imports.items():
        made.setdefault(unit(module), set()).update({unit(other) for other in others} - {unit(module)})
    return made


def crowded(lib: Path) -> list[str]:
    """Folders with more than they may hold."""
    told = []
    for folder in [lib / "accord", *(lib / "accord").rglob("*/")]:
        name = folder.relative_to(lib / "accord").as_posix()
        files = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
        boxes = len(files) + sum((below / "__init__.py").is_file() for below in folder.iterdir())
        most = LARGER.get(name, MOST_PARTS if "/" in name else MOST_BOXES)
        if boxes > most:
            told.append(f"{name} holds {boxes} files and folders, more than {most}")
    return sorted(told)


def neither(lib: Path, steps: Iterable[str], commands: Iterable[str]) -> list[str]:
    """Files directly in a room that are no step, no command and no tables: parts belong in a folder of their own."""
    kept = {*steps, *commands}
    stray = []
    for room in ROOMS:
        for file in (lib / "accord" / room).glob("*.py"):
            if f"{room}.{file.stem}" not in kept and not re.fullmatch(r"__init__|(\w+_)?tables", file.stem):
                stray.append(f"{room}/{file.name} is no step, command or tables: put it into a folder of {room}")
    return sorted(stray)


def steps(root: Path) -> set[str]:
    """The steps that rules run, as `room.step`."""
    texts = [file.read_text() for file in (root / "workflow/rules").glob("*.smk")]
    return {".".join(pair) for text in texts for pair in re.findall(r'step\(\s*"(\w+)\.(\w+)', text)}


def command_modules(lib: Path) -> set[str]:
    """The modules of commands, as `room.module`."""
    return set(re.findall(r'Command\("\w+", "([\w.]+)"', (lib / "accord/commands.py").read_text()))


def broken() -> list[str]:
    """All that breaks the contract, a sentence each."""
    imports = graph(modules(LIB))
    told = [f"circle: {', '.join(one)}" for one in [*circles(imports), *circles(between(imports))]]
    return [
        *backward(imports),
        *outside(LIB),
        *relative(LIB),
        *told,
        *crowded(LIB),
        *neither(LIB, steps(ROOT) | ALONE, command_modules(LIB)),
    ]


if __name__ == "__main__":
    found = broken()
    print("\n".join(found))
    sys.exit(len(found) > 0)
