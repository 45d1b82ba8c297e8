"""A step may be given its command line in a file; that is how a rule names more files than a command line takes."""

import os
import subprocess
import sys
from pathlib import Path

from accord.engine import argument_files, rule_commands

LIB = Path(__file__).parents[2] / "workflow/lib"
COUNT = """python -c 'import sys; from accord.engine import argument_files
given = argument_files.read(sys.argv[1:])
print(len(given), given[-1])' """


def test_a_step_takes_its_arguments_from_a_file(tmp_path):
    listed = tmp_path / "listed"
    listed.write_bytes(b"--edits\0a b\0line\nfeed\0\0@not-a-file\0\xff\0")
    said = ["--edits", "a b", "line\nfeed", "", "@not-a-file", os.fsdecode(b"\xff")]
    assert argument_files.read(["release.plan", f"@{listed}"]) == ["release.plan", *said]


def test_all_else_is_taken_as_it_is(tmp_path):
    listed = tmp_path / "listed"
    listed.write_bytes(b"--all\0")
    for words in (
        [],
        ["consent", f"@{listed}"],
        ["release.plan", "--edits", f"@{listed}"],
        ["release.plan", f"@{tmp_path}/none"],
        ["release.plan", str(listed)],
    ):
        assert argument_files.read(words) == words


def counted(tmp_path: Path, command: str) -> subprocess.CompletedProcess:
    """What a step would be given by a command of a script, as Snakemake runs long ones."""
    script = tmp_path / "script.sh"
    script.write_text(f"set -euo pipefail; {COUNT}{command}\n")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(LIB), "PATH": path}
    return subprocess.run(["bash", str(script)], env=environment, capture_output=True, text=True)


def test_a_rule_names_more_files_than_a_command_line_takes(tmp_path):
    files = " ".join(f"results/release/{n:04x}/derivatives.parquet" for n in range(200_000))
    command = f"release.plan --derivatives {files} --title='it is \"so\"' --code 'the end'"
    assert "Argument list too long" in counted(tmp_path, command).stderr
    done = counted(tmp_path, rule_commands.from_file(command))
    assert (done.stdout, done.stderr) == ("200005 the end\n", "")


def test_the_flags_alone_go_into_the_file():
    command = rule_commands.from_file(rule_commands.command("analyse.numbers"))
    assert command == r"analyse.numbers @<(printf '%s\0' --tables {input.tables:q} --out {output:q})"
    assert rule_commands.STEP.search(f"python -m accord {command} ")[1] == "analyse.numbers"
