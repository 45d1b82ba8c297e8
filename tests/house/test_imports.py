"""A module imports what it uses: no step relies on what another happened to import before it.

`import PIL` makes `PIL.Image` there only where somebody else imported that, too: nobody, where one step runs.
"""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path

import environment

from accord import steps

ROOT = Path(__file__).parents[2]
LIB = ROOT / "workflow/lib"
FILMED = {
    *("checks.look_videos", "evaluate.video_faces", "privacy.paint_videos", "privacy.video", "release.collect_faces"),
    "release.measure_videos",
}
"""Steps that a run has only where there are videos, with PyAV."""
LACKING = """
import importlib, sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in lacking:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

lacking, steps = set(sys.argv[1].split()), sys.argv[2].split()
sys.meta_path.insert(0, Lacking())
for step in steps:
    try:
        importlib.import_module(f"accord.{step}")
    except ModuleNotFoundError as error:
        print(step, error.name)
"""


def imported(tree: ast.AST) -> tuple[dict[str, str], set[str]]:
    """Name -> the package that it stands for, of `import a.b` and `import a.b as c`; all modules that are imported."""
    names, modules = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules.add(alias.name)
                top = alias.name.partition(".")[0]
                names |= {alias.asname: alias.name} if alias.asname else {top: top}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names, modules


def chains(tree: ast.AST) -> Iterator[list[str]]:
    """`a.b.c` of the text as [a, b, c]."""
    for node in ast.walk(tree):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts and isinstance(node, ast.Name):
            yield [node.id, *reversed(parts)]


@functools.cache
def folders(package: str) -> list[str] | None:
    """Where the modules below a package lie, told without importing it; None: it has none, or isn't there."""
    above = package.rpartition(".")[0]
    around = folders(above) if above else None
    if above and around is None:
        return None
    found = PathFinder.find_spec(package, around)
    return list(found.submodule_search_locations) if found and found.submodule_search_locations else None


def is_module(name: str) -> bool:
    above = folders(name.rpartition(".")[0])
    return above is not None and PathFinder.find_spec(name, above) is not None


def not_imported(text: str) -> set[tuple[str, str]]:
    """(what is imported, the module below it that is used without an import), as far as the text tells."""
    tree = ast.parse(text)
    names, modules = imported(tree)
    used = set()
    for first, *rest in chains(tree):
        if package := names.get(first):
            for part in rest:
                module = f"{package}.{part}"
                if not is_module(module):
                    break
                if not any(one == module or one.startswith(f"{module}.") for one in modules):
                    used.add((names[first], module))
                package = module
    return used


def lacking(package: str, modules: list[str]) -> list[str]:
    """Those of the modules below a package that a fresh process has not when it has imported the package alone."""
    tries = [f"try: {module}\nexcept AttributeError: print({module!r})" for module in modules]
    code = "\n".join([f"import {package}", *tries])
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_what_a_module_uses_it_imports():
    places: dict[tuple[str, str], list[str]] = {}
    for file in sorted(LIB.rglob("*.py")):
        for pair in not_imported(file.read_text()):
            places.setdefault(pair, []).append(str(file.relative_to(ROOT)))
    used: dict[str, list[str]] = {}
    for package, module in sorted(places):
        used.setdefault(package, []).append(module)
    gone = [(package, module) for package, modules in used.items() for module in lacking(package, modules)]
    assert [(module, places[package, module]) for package, module in gone] == []


def test_an_import_that_is_forgotten_is_seen():
    assert not_imported("import xml\nxml.etree.ElementTree.parse") == {
        ("xml", "xml.etree"),
        ("xml", "xml.etree.ElementTree"),
    }
    assert not_imported("import xml.etree.ElementTree\nxml.etree.ElementTree.parse") == set()
    assert not_imported("import xml.etree as e\ne.ElementTree") == {("xml.etree", "xml.etree.ElementTree")}
    assert not_imported("from xml import etree\nimport email.mime.text\nemail.mime.text") == set()
    assert lacking("xml", ["xml.etree"]) == ["xml.etree"]
    assert lacking("json", ["json.decoder"]) == []


def test_steps_of_pictures_need_no_more_than_the_workflow_installs():
    there = {"accord", *environment.needed("workflow")}
    names = packages_distributions().items()
    lacking = {name for name, of in names if there.isdisjoint(map(environment.plain, of))}
    assert {"av", "fastapi", "pytest"} <= lacking, "the extra brings more than it should"
    tried = [sys.executable, "-c", LACKING, " ".join(lacking), " ".join(steps.names())]
    told = subprocess.run(tried, capture_output=True, text=True, check=True).stdout.splitlines()
    assert set(told) == {f"{step} av" for step in FILMED}
