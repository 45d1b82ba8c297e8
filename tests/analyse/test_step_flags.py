"""Steps of analyses that are run by hand take no number and no name with which they could not work."""

from pathlib import Path

import pytest
import yaml

from accord.audit.records.recorded_arguments import PLAIN
from accord.engine import step

WRONG = [
    ("causes", "--trees", "0"), ("causes", "--trees", "-5"), ("causes", "--resamples", "0"),
    ("causes", "--min-subjects", "0"), ("causes", "--importance", "foo"), ("causes", "--tree-features", "foo"),
    ("causes", "--seed", "-1"), ("causes", "--seed", str(2**64)), ("causes", "--trees", "ten"),
    ("conditioning", "--resamples", "0"), ("conditioning", "--seed", "-1"), ("conditioning", "--min-subjects", "-1"),
    ("robustness", "--resamples", "0"), ("robustness", "--seed", "-1"), ("robustness", "--min-subjects", "0"),
    ("disparities", "--correction", "foo"), ("disparities", "--bootstraps", "0"), ("disparities", "--seed", "-1"),
    ("extremes", "--correction", "foo"), ("fake_disparities", "--correction", "foo"),
    ("patterns", "--bootstraps", "0"), ("patterns", "--min-subjects", "0"), ("patterns", "--most", "0"),
    ("patterns", "--support-of", "foo"), ("patterns", "--seed", "-1"),
    ("compared", "--bootstraps", "0"), ("compared", "--seed", "-1"),
]  # fmt: skip

SCHEMA = yaml.safe_load((Path(__file__).parents[2] / "workflow/schemas/config.schema.yaml").read_text())


@pytest.mark.parametrize(("name", "flag", "text"), WRONG)
def test_what_a_step_could_not_work_with_is_told_in_a_line(name, flag, text, capsys):
    with pytest.raises(SystemExit) as error:
        step.run_step(f"analyse.{name}", [flag, text])
    told = capsys.readouterr().err
    assert error.value.code == 2 and told.count("\n") == 1
    assert f"argument {flag}: {text!r} is not " in told


def test_a_name_that_is_near_is_told(capsys):
    with pytest.raises(SystemExit):
        step.run_step("analyse.causes", ["--importance", "permutatoin"])
    told = "'permutatoin' is not one of permutation, impurity (did you mean 'permutation'?)"
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted({name for name, _, _ in WRONG}))
def test_the_defaults_may_be_given_and_are_recorded_as_what_they_are(name):
    run = step.load(f"analyse.{name}")
    flags = {flag: flag.removeprefix("--").replace("-", "_") for of, flag, _ in WRONG if of == name}
    assert all(step.signature(run)[0][key] in PLAIN for key in flags.values())
    defaults = {key: run.__kwdefaults__[key] for key in flags.values()}
    made = step.parser(name, run)
    for action in made._actions:
        action.required = False
    parsed = vars(made.parse_args([f"{flag}={defaults[key]}" for flag, key in flags.items()]))
    assert {key: parsed[key] for key in defaults} == defaults


@pytest.mark.parametrize(("name", "key"), [("causes", "importance"), ("causes", "tree_features"),
                                           ("patterns", "support_of"), ("disparities", "correction")])  # fmt: skip
def test_the_names_are_those_of_the_settings(name, key, capsys):
    with pytest.raises(SystemExit):
        step.run_step(f"analyse.{name}", [f"--{key.replace('_', '-')}", "?"])
    known = SCHEMA["properties"]["analyse"]["properties"][key]["enum"]
    assert f"'?' is not one of {', '.join(known)};" in capsys.readouterr().err
