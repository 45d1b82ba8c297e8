"""The law of the house: one word names a room in all its places, and nothing personal to a machine is in a file."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import environment
import pytest
import yaml

ROOT = Path(__file__).parents[2]
LIB = ROOT / "workflow" / "lib" / "accord"
ROOMS = ("intake", "consent", "checks", "privacy", "release", "train", "evaluate", "analyse", "report")
STEP = re.compile(r'step\(\s*"(\w+)\.(\w+)')


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_its_name_in_five_places(room):
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert (ROOT / f"workflow/rules/{room}.smk").is_file()
    assert (LIB / room / "__init__.py").is_file()
    assert room in config
    assert (ROOT / "tests" / room).is_dir()
    assert f'include: "rules/{room}.smk"' in (ROOT / "workflow/Snakefile").read_text()


def rules_of(room: str) -> list[str]:
    """The texts of a room's rules: `<room>.smk`, and where one file would be too long `<room>_<part>.smk`."""
    return [file.read_text() for file in sorted((ROOT / "workflow/rules").glob(f"{room}*.smk"))]


def test_every_file_of_rules_is_a_rooms_and_included():
    included = re.findall(r'^include: "rules/(\w+)\.smk"$', (ROOT / "workflow/Snakefile").read_text(), re.M)
    assert sorted(included) == sorted(file.stem for file in (ROOT / "workflow/rules").glob("*.smk"))
    assert {name.partition("_")[0] for name in included} == {"common", *ROOMS}


def test_no_two_files_of_rules_give_a_value_the_same_name():
    """All files of rules share one namespace: a job's `lambda` would read what the last file called by its name."""
    given = Counter(
        name
        for file in (ROOT / "workflow").rglob("*.smk")
        for name in set(re.findall(r"^(?:def )?(\w+)(?= = |\()", file.read_text(), re.M))
    )
    assert {name for name, times in given.items() if times > 1} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_rule_is_its_room_and_its_step(room):
    texts = rules_of(room)
    assert [text for text in texts if not text.startswith('"""')] == []
    for block in [block for text in texts for block in re.split(r"^(?=[ \t]*rule \w+:)", text, flags=re.M)[1:]]:
        name, (of, step) = re.search(r"rule (\w+):", block)[1], STEP.search(block).groups()
        assert of == room
        assert name == f"{room}_{step}"
        assert (LIB / room / f"{step}.py").is_file()
        assert f"/{room}/" in re.search(r"output:(.*?)log:", block, re.S)[1]


def test_data_flow_in_one_direction():
    order = {room: index for index, room in enumerate(ROOMS)}
    for room in ROOMS:
        text = "".join(rules_of(room))
        read = set(re.findall(r'"<results>/(\w+)/', text))
        assert {other for other in read if order[other] > order[room]} == set()


def test_no_script_run_or_checkpoint():
    for file in (ROOT / "workflow").rglob("*.smk"):
        assert not re.search(r"^\s*(script|run|checkpoint|notebook|wrapper)\b.*:", file.read_text(), re.M), file


def test_no_file_names_a_machine_or_a_registry():
    strange = re.compile(r"/(work|root|home/[a-z]+|opt/(wheels|pypi))/|" + "py" + r"pi\.org|files\.python" + "hosted")
    texts = [f for f in tracked() if f.suffix in (".py", ".smk", ".yaml", ".md", ".txt", ".toml", ".json", "")]
    found = [
        str(f.relative_to(ROOT))
        for f in texts
        if "tests/data" not in str(f) and strange.search(f.read_text(errors="ignore"))
    ]
    assert found == ["tests/house/test_law.py"] or found == []


def test_data_are_never_evaluated_or_unpickled():
    risky = re.compile(r"(^|[^\w.])(eval|exec)\(|pickle\.load|shell=True|weights_only=False|allow_pickle=True")
    assert [str(f) for f in LIB.rglob("*.py") if risky.search(f.read_text())] == []


def test_constraints_pin_every_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {
        line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    wanted = project["dependencies"] + [d for extra in project["optional-dependencies"].values() for d in extra]
    names = {re.split(r"[<>=\[ ]", line)[0].lower() for line in wanted}
    assert names - pinned == {project["name"]}
    assert all("==" in line for line in (ROOT / "weights.txt").read_text().splitlines() if line and line[0] != "#")


def test_the_environment_of_jobs_pins_what_they_need_and_names_no_file():
    channels, given = yaml.safe_load(environment.FILE.read_text()).values()
    assert "nodefaults" in channels
    [of_pip] = [one["pip"] for one in given if isinstance(one, dict)]
    names = {environment.plain(line.partition("==")[0]): line for line in of_pip}
    assert {name: environment.pins().get(name) for name in names} == names
    assert {environment.plain(one.name) for one in environment.direct(*environment.EXTRAS)} <= set(names)
    assert not [line for line in of_pip if line.startswith(("-", ".", "accord")) or "/" in line or "@" in line]


def test_no_document_says_a_line_twice():
    """A merge that takes both sides leaves whole sections twice. Heads of tables may come again."""
    twice = []
    for file in (f for f in tracked() if f.suffix == ".md" and f.is_relative_to(ROOT / "docs")):
        lines = file.read_text().splitlines()
        heads = {above for above, line in pairwise(lines) if line.startswith("|--")}
        counted = Counter(line for line in lines if len(line) > 60 and line not in heads)
        twice += [f"{file.name}: {line}" for line, count in counted.items() if count > 1]
    assert twice == []


def test_nothing_depends_on_the_hash_of_a_process():
    """`hash` of a text is another one in each process: seeds, shards and order by it would not come again."""
    calls = {
        f"{file.relative_to(LIB)}:{node.lineno}"
        for file in LIB.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hash"
    }
    assert calls == set()


def test_no_yaml_says_a_key_twice():
    """PyYAML takes the last one in silence."""

    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node, deep=False):
            keys = [key.value for key, _ in node.value]
            assert len(keys) == len(set(keys)), f"{node.start_mark}: {sorted(keys)}"
            return super().construct_mapping(node, deep)

    files = [f for f in tracked() if f.suffix in (".yaml", ".yml") and "profiles" not in f.parts]
    assert len(files) > 5
    for file in files:
        yaml.load(file.read_text(), Strict)
