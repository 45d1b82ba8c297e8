"""The door: what `accord --help`, `--version` and `accord steps` say, and how a mistake is told."""

import argparse
import ast
import errno
import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from accord import __main__ as program
from accord import cli, command_line, commands, steps
from accord.engine import step
from accord.errors import AccordError, Problem

ROOT = Path(__file__).parents[2]
LIB = ROOT / "workflow/lib/accord"
HEAVY = ("pandas", "numpy", "pyarrow", "torch", "scipy", "yaml", "cryptography")
LIGHT = f"""
import sys
from accord import cli
cli.main(sys.argv[1:])
print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def leaves(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """A parser, or those of its actions."""
    below = [one for action in parser.subparsers() for one in action.choices.values()]
    return [leaf for one in below for leaf in leaves(one)] or [parser]


def refused(capsys, *words: str) -> str:
    """What a command line with a mistake is told; checks that it is one line, and the exit code."""
    try:
        code = cli.main(list(words))
    except SystemExit as ended:
        code = ended.code
    told = capsys.readouterr()
    assert (code, told.out, told.err.count("\n")) == (2, "", 1)
    return told.err


@pytest.mark.parametrize("name", list(commands.BY_NAME))
def test_a_command_is_told_as_its_parser_tells_it(name):
    parser, line = commands.parser(name), commands.BY_NAME[name].line
    assert parser.prog == f"accord {name}"
    assert parser.description.startswith(command_line.sentence(line))
    assert len(line) <= 75 and not line.endswith(".")
    assert all(isinstance(leaf, command_line.Parser) for leaf in leaves(parser))


def test_every_module_with_a_command_line_is_a_command():
    own = {"cli", "step", "command_line", "commands"}
    found = set()
    for file in LIB.rglob("*.py"):
        functions = {node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)}
        name = ".".join(file.relative_to(LIB).with_suffix("").parts)
        found |= {name} if {"main", "parser"} <= functions and name not in own else set()
    modules = {command.module for command in commands.BY_NAME.values()}
    assert modules - found == {"consent.command", "erase.command"}  # whose flags are modules of their own
    assert found - modules == set()


def test_help_lists_every_command_in_its_group(capsys):
    assert cli.main(["--help"]) == cli.main([]) == 0
    told = capsys.readouterr().out
    blocks = {block.partition("\n")[0]: block for block in told.split("\n\n")}
    for title, found in commands.GROUPS.items():
        assert [line.split()[0] for line in blocks[title].splitlines()[1:]] == [command.name for command in found]
    assert max(map(len, told.splitlines())) <= 110
    assert "checks.decode" not in told and "`accord steps`" in told


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["steps"], ["consnt"]])
def test_what_only_tells_imports_nothing_heavy(words):
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", LIGHT, *words], capture_output=True, text=True)
    print(f"accord {' '.join(words)}: {time.monotonic() - began:.2f} s")
    assert done.returncode == 0 and done.stderr.endswith("[]\n")


def test_the_version_is_that_of_the_package_with_the_commit(capsys):
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    assert cli.main(["--version"]) == 0
    words = capsys.readouterr().out.split()
    assert words[:2] == ["accord", stated]
    assert words[2:3] == ["(commit"] * bool(asked) and asked.startswith("".join(words[3:]).rstrip(")"))


def test_steps_are_told_by_room_with_the_sentence_of_their_docstring(capsys):
    assert cli.main(["steps"]) == 0
    told = capsys.readouterr().out
    rooms = [line for line in told.splitlines() if line and not line.startswith(" ")]
    assert rooms == sorted(set(rooms)) and {"checks", "analyse", "report"} <= set(rooms)
    run = step.load("checks.duplicates")
    (line,) = [line for line in told.splitlines() if line.startswith("  checks.duplicates ")]
    assert line.split(maxsplit=1)[1] == run.__doc__.partition("\n")[0]
    assert steps.line("analyse.features").endswith("and what is measured.")  # a sentence of two lines
    assert "0.50 ... 0.95" in steps.line("analyse.localisation")
    assert cli.main(["steps", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in listed] == steps.names() and all(one["line"] for one in listed)


@pytest.mark.parametrize("word, meant", [
    ("checks.duplicats", "checks.duplicates"),
    ("checks_duplicates", "checks.duplicates"),  # as the rule is called
    ("adit", "audit"),
])  # fmt: skip
def test_a_misspelt_step_is_told_with_what_was_meant(capsys, word, meant):
    assert cli.main([word]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"accord: unknown command or step {word!r} (did you mean ")
    assert told.count("\n") == 1 and f"{meant!r}?" in told


@pytest.mark.parametrize("module", ["audit.command", "checks.tables", "engine.step"])
def test_a_module_without_a_step_is_no_step(capsys, module):
    assert cli.main([module]) == 2
    assert capsys.readouterr().err.startswith(f"accord: unknown command or step {module!r}")


def test_a_full_disk_is_told_with_what_makes_room(monkeypatch, capsys):
    def writes(_argv):
        with Path("/dev/full").open("w") as full:
            full.write("a row")
        return 0

    monkeypatch.setattr(cli, "main", writes)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("accord: 1 problem found\n  - disk: No space left on device, where results or temporary")
    assert "TMPDIR" in told


def test_a_limit_of_the_size_of_files_is_told_as_such(monkeypatch, capsys):
    monkeypatch.setattr(cli, "main", lambda _argv: (_ for _ in ()).throw(OSError(errno.EFBIG, "File too large", "a")))
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 2 and "- disk: File too large, where results" in capsys.readouterr().err


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_file_that_is_locked_is_told_by_its_folder_alone(monkeypatch, capsys, number):
    """Names of delivered files can be personal."""
    error = OSError(number, os.strerror(number), "delivery/images/Ann Smith.jpg")
    monkeypatch.setattr(cli, "main", lambda _argv: (_ for _ in ()).throw(error))
    with pytest.raises(SystemExit) as ended:
        program.main()
    told = capsys.readouterr().err
    assert ended.value.code == 2 and "Smith" not in told and "Traceback" not in told
    said = os.strerror(number)
    assert f"  - delivery/images: a file or folder in it can't be used ({said})\n    hint: see who owns" in told


def test_any_other_fault_of_a_file_is_a_fault(monkeypatch):
    monkeypatch.setattr(cli, "main", lambda _argv: Path("/no/such/file").read_bytes())
    with pytest.raises(FileNotFoundError):
        program.main()


def test_problems_of_many_lines_that_are_the_same_are_one_in_their_order():
    problems = [Problem(f"a.csv:{line}", "has 2 cells instead of 3", "quote it") for line in range(2, 9)]
    problems[3:3] = [Problem("a.csv:4", "is odd"), Problem("b, line 7", "is odd"), Problem("b, line 7", "is odd")]
    assert str(AccordError(problems)) == (
        "3 problems found\n"
        "  - a.csv:2: has 2 cells instead of 3 (7 times: lines 2, 3, 4, 5, 6 and 2 more)\n    hint: quote it\n"
        "  - a.csv:4: is odd\n"
        "  - b, line 7: is odd"
    )
    places = [Problem(f"results/{number}.parquet", "is cut", "delete it") for number in range(64)]
    assert str(AccordError([*places, Problem("x", "is odd")])) == (
        "2 problems found\n"
        "  - results/0.parquet: is cut (in 64 places; also results/1.parquet; results/2.parquet; results/3.parquet; "
        "results/4.parquet; results/5.parquet and 58 more)\n    hint: delete it\n"
        "  - x: is odd"
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_letters_that_the_output_lacks_are_escaped(tmp_path, encoding):
    delivery = tmp_path / "Łódź-写真"
    words = [sys.executable, "-m", "accord", "delivery"]
    done = subprocess.run(
        [*words, "init", delivery, "--vendor", "acme", "--delivery", "d"],
        env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"-\\u5199\\u771f: fill it in" in done.stdout
    done = subprocess.run(
        [*words, "validate", delivery],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2 and b"Traceback" not in done.stderr and b"\\u5199" in done.stdout
