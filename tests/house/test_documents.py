"""The papers at the door: what they link to and name is there, and their commands are commands."""

import importlib.util
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
import yaml

from accord import cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "config/README.md"])
SITE = importlib.util.spec_from_file_location("site_pages", ROOT / "docs/site_pages.py")
site_pages = importlib.util.module_from_spec(SITE)
SITE.loader.exec_module(site_pages)
OF_PICTURES = importlib.util.spec_from_file_location("pictures", ROOT / "benchmarks/pictures.py")
pictures = importlib.util.module_from_spec(OF_PICTURES)
OF_PICTURES.loader.exec_module(pictures)
PICTURE = re.compile(r"\.(png|jpe?g|gif|svg|webp)$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\s]+)`")
WRITTEN_BY_READERS = {
    *("config/cascade.py", "config/talker.py", "config/fhibe.yaml", "config/my.yaml", "config/weights.lock.yaml"),
    *("tests/analyse/test_toyfaces.py", "workflow/lib/accord/analyse/datasets/archives/toyfaces.py"),
    *("tests/checks/test_capture_year.py", "workflow/lib/accord/checks/capture_year.py"),
}
"""Named in examples: each user has their own, or none."""


def anchors(text: str) -> set[str]:
    """The names that headings have as targets of links: lower case, spaces as hyphens, no punctuation."""
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken_links(page: Path) -> Iterator[str]:
    for target in LINK.findall(page.read_text()):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text())):
            yield target


def missing_paths(page: Path, folders: set[str]) -> Iterator[str]:
    """What stands in backticks, begins with a folder of the repository, and is neither there nor a pattern.

    Modules may begin with the package's name (`accord/checks/`), tests with their room's (`intake/test_bounds.py`).
    """
    for word in CODE.findall(page.read_text()):
        path = re.sub(r"^accord/", "workflow/lib/accord/", word.rstrip(".,").partition(":")[0])
        path = f"tests/{path}" if re.fullmatch(r"\w+/test_\w+\.py", path) else path
        plain = "/" in path and not re.search(r"[<>{}*$]", path) and path not in WRITTEN_BY_READERS
        if plain and path.partition("/")[0] in folders and not (ROOT / path).exists():
            yield word


def tracked_folders() -> set[str]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    # What a run writes isn't there before it.
    return {name.partition("/")[0] for name in names if "/" in name} - {"results"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    assert list(broken_links(page)) == []


def test_every_picture_that_a_page_shows_is_made_by_the_script():
    """And it makes no other."""
    shown = {
        str((page.parent / target).resolve().relative_to(ROOT))
        for page in PAGES
        for target in LINK.findall(page.read_text())
        if PICTURE.search(target)
    }
    assert shown == set(pictures.MADE)
    functions = set(re.findall(r"^def (\w+)", (ROOT / "benchmarks/page_pictures.py").read_text(), re.M))
    assert set(pictures.PAGES.values()) <= functions


def test_every_path_that_a_page_names_is_there():
    folders = tracked_folders()
    assert {"docs", "workflow", "tests", "config"} <= folders
    missing = {str(page.relative_to(ROOT)): sorted(missing_paths(page, folders)) for page in PAGES}
    assert {page: paths for page, paths in missing.items() if paths} == {}


def test_a_broken_link_and_a_missing_path_are_seen(tmp_path):
    page = tmp_path / "page.md"
    links = "[a](#a-head-here) [b](#gone) [c](no.md) [d](https://x.org)"
    page.write_text(
        f"# A head, here\n{links} `docs/no.md` `docs/*.md` `accord/cli.py` `accord/no.py` `house/test_no.py`\n"
    )
    assert list(broken_links(page)) == ["#gone", "no.md"]
    found = list(missing_paths(page, {"docs", "tests", "workflow"}))
    assert found == ["docs/no.md", "accord/no.py", "house/test_no.py"]


def test_every_page_of_the_documentation_is_in_its_list():
    listed = set(LINK.findall((ROOT / "docs/README.md").read_text()))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"} - listed == set()


def test_every_command_of_the_door_and_the_how_tos_is_one(capsys):
    text = "".join((ROOT / name).read_text() for name in ("README.md", "docs/how-to.md", "docs/tutorial.md"))
    lines = [line.split("#")[0].split()[1:] for line in re.findall(r"^    (accord .+)$", text, re.M)]
    # What follows a command is its part (`consent withdraw`), but for what people name themselves.
    commands = {(line[0], *(word for word in line[1:2] if word.isalpha() and word.islower())) for line in lines}
    commands = {command[: 1 if command[0] == "try" else 2] for command in commands}
    assert len(commands) > 20
    for command in sorted(commands):
        try:
            code = cli.main([*command, "--help"])
        except SystemExit as left:
            code = left.code
        assert code == 0, command
    capsys.readouterr()


def test_the_example_of_the_door_finds_what_was_planted(tmp_path, monkeypatch, capsys):
    """Its scores were made with one pair of groups that does worse than either: dark skin under a lamp."""
    [line] = re.findall(r"^    accord (analyse docs/example.+)$", (ROOT / "README.md").read_text(), re.M)
    monkeypatch.chdir(ROOT)
    words = [str(tmp_path / word) if word.endswith(".html") else word for word in line.split("#")[0].split()]
    assert cli.main([*words, "--out", str(tmp_path)]) == 0
    assert "dark × lamp" in (tmp_path / "scores.html").read_text()
    capsys.readouterr()
    [found] = pd.read_csv(tmp_path / "intersections.csv").to_dict("records")
    assert (found["attribute"], found["group"]) == ("skin_tone x lighting", "dark x lamp")


def test_the_site_has_every_page_once():
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    pages = [page for entry in nav for page in pages_of(entry)]
    assert sorted(pages) == sorted(
        [
            *(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")),
            *site_pages.OUTSIDE.values(),
        ]
    )


def pages_of(entry: str | dict) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    [below] = entry.values()
    return [below] if isinstance(below, str) else [page for one in below for page in pages_of(one)]


@pytest.mark.parametrize(
    ("path", "text", "on_the_site"),
    [
        ("docs/a.md", "[a](b.md#c) [d](../config/README.md) [e](#f)", "[a](b.md#c) [d](settings.md) [e](#f)"),
        (
            "docs/a.md",
            "[a](../tests/data/README.md) ![b](c.png) [d](https://x.org)",
            "a ![b](c.png) [d](https://x.org)",
        ),
        ("CONTRIBUTING.md", "[a](docs/b.md#c) [d](SECURITY.md)", "[a](b.md#c) [d](report-a-hole.md)"),
        ("config/README.md", "[a](../docs/b.md)", "[a](b.md)"),
        (
            "docs/a/b.md",
            "[a](c.md) [d](../e.md) [f](../../config/README.md)",
            "[a](c.md) [d](../e.md) [f](../settings.md)",
        ),
    ],
)
def test_links_of_the_site_lead_to_its_pages(path, text, on_the_site):
    assert site_pages.relinked(text, path) == on_the_site


def test_the_citation_has_the_version_and_the_publications():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (cited["cff-version"], cited["version"], cited["license"]) == (
        "1.2.0",
        project["version"],
        project["license"],
    )
    assert len({one["doi"] for one in cited["references"]}) == 5
