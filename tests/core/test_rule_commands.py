"""A rule's command is its step's signature, and a rule that doesn't fit its step is told at once."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from accord.engine import rule_commands, source, step
from accord.engine.ast_digest import meaning
from accord.errors import AccordError

RULES = Path(__file__).parents[2] / "workflow/rules"
STEPS = sorted({name for file in RULES.glob("*.smk") for name in re.findall(r'step\(\s*"([\w.]+)"', file.read_text())})


def test_a_command_is_made_of_the_signature():
    assert rule_commands.command("analyse.compared") == (
        "analyse.compared --before {input.before:q} --after {input.after:q} --margin {params.margin:q}"
        " --bootstraps {params.bootstraps:q} --seed {params.seed:q} --out {output:q}"
    )


def test_sinks_and_fields_of_what_is_returned_are_outputs():
    said = rule_commands.command("privacy.paint").split()
    assert "{output.files:q}" in said and "{input.bundle:q}" in said
    assert said[said.index("--out-conversions") + 1] == "{output.conversions:q}"


def test_a_text_can_begin_with_a_dash():
    assert " --caution={params.caution:q} " in rule_commands.command("report.index")


def test_what_is_given_otherwise_is_not_said_twice():
    said = rule_commands.command("analyse.likeness", extra="--task {wildcards.task}")
    assert said.count("--task") == 1 and "--task {wildcards.task} --out {output:q}" in said
    assert "--bootstraps" not in rule_commands.command("analyse.verification", without=["bootstraps"])


def test_only_parameters_that_there_are_can_keep_their_defaults():
    with pytest.raises(ValueError, match=r"analyse\.numbers has no parameter bootstrap"):
        rule_commands.command("analyse.numbers", without=["bootstrap"])
    with pytest.raises(ValueError, match=r"No step 'analyse\.nothing'"):
        rule_commands.command("analyse.nothing")


@pytest.mark.parametrize("name", STEPS)
def test_a_signature_that_was_read_is_the_one_that_python_has(name):
    kinds, returns = step.signature(step.load(name))
    run, outs = rule_commands.signature(name)
    assert list(run) == list(kinds)
    assert list(outs) == list(step.outputs(returns))
    for key, kind in kinds.items():
        is_input = step.table_of(kind) or kind in (Path, list[Path])
        place = "output" if kind is step.Sink else "input" if is_input else "params"
        assert rule_commands.place(run[key][0]) == place, key


def test_a_signature_is_of_run_alone(tmp_path):
    file = tmp_path / "some.py"
    file.write_text("def other(a): ...\n"
                    "def run(a: Path, /, b: int = 3, *, c: 'str', d: dict | None = None) -> Pair: ...\n"
                    "class Pair(NamedTuple):\n    left: str\n    right: str\n")  # fmt: skip
    told = meaning(file)
    assert told.run == {"a": ["Path", None], "b": ["int", "3"], "c": ["'str'", None],
                        "d": ["dict | None", "None"], "return": ["Pair", None]}  # fmt: skip
    assert told.tuples == {"Pair": ["left", "right"]}
    assert meaning(file) == told


def test_a_named_tuple_is_found_where_it_is_imported_from():
    assert source.fields(source.file_of("release.derive"), "Derived")[0] == "derivatives"
    with pytest.raises(ValueError, match=r"derive\.py: there is no named tuple Elsewhere"):
        source.fields(source.file_of("release.derive"), "Elsewhere")


def rule(**given) -> SimpleNamespace:
    """A rule of analyse.compared as Snakemake holds it, with other names than it should have."""
    fitting = {"input": ["before", "after"], "output": [], "params": ["margin", "bootstraps", "seed"]}
    names = {place: dict.fromkeys(of) for place, of in {**fitting, **given}.items()}
    shell = f"python -m accord {rule_commands.command('analyse.compared')} --code 0 2> {{log}}"
    return SimpleNamespace(name="analyse_compared", snakefile="rules/analyse.smk", shellcmd=shell, **names)


def test_a_rule_that_fits_is_fine_and_so_is_one_of_another_workflow():
    rule_commands.check([rule(), rule(params=["margin", "bootstraps", "seed", "rerun_on"])])
    rule_commands.check([SimpleNamespace(name="mine", shellcmd="touch {output}"), SimpleNamespace(name="all")])


def test_a_rule_that_does_not_fit_its_step_is_told_with_all_that_is_wrong():
    with pytest.raises(AccordError) as told:
        rule_commands.check([rule(input=["before", "afer"], params=["margin", "seed"])])
    assert str(told.value).splitlines() == [
        "3 problems found",
        "  - rules/analyse.smk, rule analyse_compared: input has no 'after', which analyse.compared requires"
        " (did you mean 'afer'?)",
        "    hint: list it in input, or write step('analyse.compared', without=['after']) to use its default",
        "  - rules/analyse.smk, rule analyse_compared: input has 'afer', which analyse.compared doesn't take",
        "    hint: remove it; see the signature of analyse.compared's run for its parameters and outputs",
        "  - rules/analyse.smk, rule analyse_compared: params has no 'bootstraps', which analyse.compared requires",
        "    hint: list it in params, or write step('analyse.compared', without=['bootstraps']) to use its default",
    ]


def test_an_output_that_a_step_does_not_return_is_told():
    shell = "python -m accord privacy.permitted --out-public {output.public:q} --code 0 2> {log}"
    told = rule_commands.mismatches(
        "x", "privacy.permitted", shell, {"input": set(), "output": {"public", "more"}, "params": set()}
    )
    assert [problem.what for problem in told] == ["output has 'more', which privacy.permitted doesn't return"]
