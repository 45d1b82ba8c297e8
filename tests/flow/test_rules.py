"""Every rule calls its step with the flags that the step's signature asks for."""

import shlex

import pytest

from accord import step


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    from conftest import make_small

    house = make_small(tmp_path_factory.mktemp("rules"), subjects=2)
    house.configure(intake={"deliveries": ["delivery"]}, shards=2, report={"caution": ""})
    plan = house.run("--dry-run", "--printshellcmds", "--forceall").splitlines()
    found = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in plan if "python -m accord " in line]
    return {name: flags for name, *flags in found}


def test_every_command_parses(commands):
    assert len(commands) > 20
    for name, flags in commands.items():
        step.parser(name, step.load(name)).parse_args(flags)


def test_every_command_carries_the_digest_of_its_code(commands):
    assert [name for name, flags in commands.items() if "--code" not in flags] == []


def test_releases_describe_annotators_as_consent_left_them(commands):
    """What intake took names also those who withdrew since."""
    flags = step.parser("release.publish", step.load("release.publish")).parse_args(commands["release.publish"])
    assert {path.parts[1] for path in flags.annotators} == {"consent"}
