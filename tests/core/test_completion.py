"""The script of `accord completion` completes commands, actions, flags and their values in a real shell."""

import shutil
import subprocess

import pytest

from accord import command_line, commands, completion, steps

BASH = shutil.which("bash")


@pytest.fixture(scope="module")
def places():
    return list(completion.places())


@pytest.fixture(scope="module")
def complete(places, tmp_path_factory):
    """What bash offers where the cursor is behind the words."""
    script = tmp_path_factory.mktemp("completion") / "accord.bash"
    script.write_text(completion.bash(places))

    def offered(*words: str) -> list[str]:
        code = (
            f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _accord; printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        done = subprocess.run([BASH, "-c", code, "bash", "accord", *words], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout.split()

    return offered


needs_bash = pytest.mark.skipif(BASH is None, reason="there is no bash here")


@needs_bash
def test_bash_knows_how_to_complete_accord(places, tmp_path):
    (tmp_path / "a").write_text(completion.bash(places))
    said = subprocess.run([BASH, "-c", f"source {tmp_path}/a; complete -p accord"], capture_output=True, text=True)
    assert said.stdout == "complete -o default -F _accord accord\n"


@needs_bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["weig"], ["weights"]),
        (["--ver"], ["--version"]),
        (["checks.s"], ["checks.sameness", "checks.sample", "checks.scorecards", "checks.settle"]),
        (["release", ""], ["verify", "diff", "view", "export", "--help"]),
        (["release", "verify", "--"], ["--help", "--key", "--json"]),
        (["release", "verify", "folder", "--js"], ["--json"]),
        (["consent", "grant", "--role", ""], ["subject", "annotator", "rightsholder"]),
        (["completion", ""], ["bash", "zsh", "fish", "--help"]),
        (["scan", "--vend"], ["--vendor"]),
        (["nothing", "x"], []),
        (["release", "verify", "REA"], []),  # a file: bash offers those itself
    ],
)
def test_bash_offers_what_can_follow(words, offered, complete):
    assert sorted(complete(*words)) == sorted(offered)


@needs_bash
def test_bash_offers_all_commands_and_steps(complete):
    assert {*commands.BY_NAME, *steps.names()} <= set(complete(""))


def test_every_flag_of_every_action_is_in_every_script(places):
    scripts = [completion.SCRIPTS[shell](places) for shell in completion.HOW]
    wanted = {flag for name in commands.BY_NAME for place in completion._of(commands.parser(name), name)
              for flag in place.words if flag.startswith("--")}  # fmt: skip
    assert len(wanted) > 50
    for flag in wanted:
        assert flag in scripts[0] and flag in scripts[1] and f"-l {flag[2:]} " in scripts[2]


@pytest.mark.parametrize(("shell", "check"), [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
def test_the_script_is_well_formed_with_odd_words_in_it(shell, check, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    parser = command_line.Parser(prog="p")
    parser.add_argument("--odd", choices=["a", "it's"], help="100%% of 'this': \"that\" $HOME `date` [x] \\")
    (tmp_path / "script").write_text(completion.SCRIPTS[shell](list(completion._of(parser, "p"))))
    subprocess.run([shell, check, tmp_path / "script"], check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("accord weig", ["weights"]),
        ("accord release v", ["verify", "view"]),
        ("accord release verify --js", ["--json"]),
        ("accord consent grant --role ann", ["annotator"]),
        ("accord scan --vend", ["--vendor"]),
    ],
)
def test_fish_offers_what_can_follow(line, offered, places, tmp_path):
    (tmp_path / "accord.fish").write_text(completion.fish(places))
    code = f"source {tmp_path}/accord.fish; complete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True)
    assert [one.split("\t")[0] for one in done.stdout.splitlines()] == offered


def test_a_command_that_is_not_installed_completes_by_its_name(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(commands, "parser", missing)
    (top,) = completion.places()
    assert "consent" in top.words and "--version" in top.words
