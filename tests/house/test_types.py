"""New code says the types of what it is given: folders that don't yet can only become fewer."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pyrefly"]
NOT_YET = {"workflow/lib/accord_demo/**", "workflow/exports/**"}


def test_no_folder_is_added_to_those_that_are_not_strict():
    assert {part["matches"] for part in CONFIG["sub-config"]} <= NOT_YET
    assert all((ROOT / part["matches"].removesuffix("/**")).is_dir() for part in CONFIG["sub-config"])


def test_all_other_code_says_what_it_is_given():
    assert CONFIG["preset"] == "default"
    assert {"workflow/lib", "workflow/exports"} <= set(CONFIG["project-includes"])
    assert CONFIG["errors"]["implicit-any-parameter"] == "error"
    assert set(CONFIG["errors"].values()) == {"error"}


def test_no_finding_is_silenced_without_its_rule():
    files = [path for folder in ("lib", "exports") for path in (ROOT / "workflow" / folder).rglob("*.py")]
    silent = ("type: ignore", "pyrefly: ignore\n", "pyrefly: ignore-errors")
    assert [path.name for path in files if any(word in path.read_text() for word in silent)] == []
