"""A model of a user's own file that answers questions: it is planned with the run, and only where it is named."""

import shlex
from pathlib import Path

import pytest
import yaml
from small import make_small

from accord.engine import step
from house import House

TALKER = """
from accord.models.protocols import Answer

class Talker:
    def __init__(self, weights):
        pass

    def answer(self, pictures, questions):
        return [[Answer(text) for text in texts] for texts in questions]
"""
ENTRY = {"task": "visual_question", "adapter": "config/talker.py:Talker", "weights": {}, "licence": "mine",
         "source": "written for this test"}  # fmt: skip


class Planned(House):
    """A house in which a plan is made once for each configuration: to start Snakemake takes longer than to read it."""

    def run(self, *flags: str, check: bool = True) -> str:
        told = (*((self.folder / "config" / name).read_text() for name in ("test.yaml", "models.yaml")), *flags)
        if told not in self._plans:
            self._plans[told] = super().run(*flags, check=check)
        return self._plans[told]

    def planned(self, *flags: str) -> dict[str, set[str]]:
        return super().planned("--printshellcmds", *flags)

    @classmethod
    def at(cls, folder: Path) -> "Planned":
        house = super().at(folder)
        house._plans = {}
        return house


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = Planned.at(make_small(tmp_path_factory.mktemp("asking"), subjects=2).folder)
    (house.folder / "config/talker.py").write_text(TALKER)
    models = house.folder / "config/models.yaml"
    models.write_text(models.read_text() + "\n" + yaml.safe_dump({"talker": ENTRY}))
    return house


def configured(house, *models: str, **evaluate):
    of = {"intake": {"deliveries": ["delivery"]}, "shards": 2, "report": {"caution": ""}}
    house.configure(**of, evaluate={"run": ["yunet", *models], **evaluate})
    return house


def test_a_model_that_answers_is_asked_once_a_shard(house):
    assert configured(house, "talker").planned()["evaluate_ask"] == {"00", "01"}


def test_without_one_nothing_is_asked(house):
    assert "evaluate_ask" not in configured(house).planned()


def test_answers_to_open_questions_are_read_and_their_scores_compared_like_any_others(house):
    planned = configured(house, "talker").run("--dry-run", "--nolock", "--printshellcmds").splitlines()
    lines = [line.split("python -m accord ")[1] for line in planned if "python -m accord " in line and "--code" in line]
    commands = [shlex.split(line)[:-2] for line in lines]
    told = {name: step.parser(name, step.load(name)).parse_args(flags) for name, *flags in commands}
    read = told["analyse.answers"]
    assert [path.parts[-2:] for path in sorted(read.answers)] == [(shard, "talker.parquet") for shard in ("00", "01")]
    assert (read.questions.name, read.known_occupations.name) == ("questions.yaml", "occupations.csv")
    for name in ("groups", "disparities", "causes", "patterns"):
        assert read.out_scores in told[f"analyse.{name}"].scores


def test_without_open_questions_no_answers_are_read(house):
    assert "analyse_answers" not in configured(house).planned()
    run = {"run": ["yunet", "talker"], "questions": None}
    house.configure(intake={"deliveries": ["delivery"]}, shards=2, report={"caution": ""}, evaluate=run)
    assert "analyse_answers" not in house.planned()


def test_of_facet_it_is_asked_for_classes_and_without_open_questions_for_nothing_else(house):
    (house.folder / "archive").mkdir()
    archive = {"format": "facet", "path": "archive"}
    run = {"run": ["yunet", "talker"], "questions": None}
    house.configure(shards=2, report={"caution": ""}, evaluate=run, release={"archive": archive})
    plan = house.run("--dry-run", "--nolock", "--printshellcmds", "results/evaluate/00/talker.parquet").splitlines()
    [command] = [shlex.split(line.split("python -m accord ")[1]) for line in plan if "accord evaluate.ask" in line]
    flags = step.parser("evaluate.ask", step.load("evaluate.ask")).parse_args(command[1 : command.index("--code")])
    assert [flags.questions, flags.class_questions] == [[], [Path("config/facet.yaml")]]


def test_answers_about_classes_are_labelled_and_counted_on_facet_alone(house):
    facet = ("--config", "release={'archive': {'format': 'facet', 'path': 'a'}}")
    planned = configured(house, "talker").planned(*facet)
    assert planned["evaluate_label_answers"] == {"00", "01"} and planned["analyse_recalls"] == {""}
    assert "analyse_recalls" not in configured(house, "talker").planned()
    assert "analyse_recalls" not in configured(house).planned(*facet)


def test_what_is_wrong_with_files_of_questions_is_told_before_anything_runs(house):
    for name in ("open", "classes"):
        (house.folder / f"config/{name}.yaml").write_text("questions: []\n")
    files = {"questions": "config/open.yaml", "class_questions": "config/classes.yaml"}
    facet = ("--config", "release={'archive': {'format': 'facet', 'path': 'a'}}")
    told = configured(house, "talker", **files).run("--dry-run", "--nolock", *facet, check=False)
    assert "open.yaml: questions: must have at least 1 in its list" in told
    assert "classes.yaml: questions: unknown key" in told and "classes.yaml: prompts: is missing" in told
    assert "problem" not in configured(house, **files).run("--dry-run", "--nolock")


def reported(house, *flags: str):
    """The flags of the report's step, as they are planned."""
    plan = house.run("--dry-run", "--nolock", "--printshellcmds", *flags).splitlines()
    [command] = [shlex.split(line.split("python -m accord ")[1]) for line in plan if "accord report.index" in line]
    return step.parser("report.index", step.load("report.index")).parse_args(command[1 : command.index("2>")])


def test_a_page_of_foundation_models_is_made_where_one_is_asked(house):
    page = Path("results/report/foundation.html")
    flags = reported(configured(house, "talker"))
    assert page in flags.out and flags.models["talker"]["task"] == "visual_question"
    assert Path("results/report/models/talker.html") in flags.out
    tables = ("response_rates", "answer_rates", "misgendering_ratios", "occupation_shares")
    assert [getattr(flags, name) for name in tables] == [[Path(f"results/analyse/{name}.parquet")] for name in tables]
    assert flags.class_questions == flags.recalls == flags.texts == flags.probe_rates == []


def test_without_one_there_is_no_such_page(house):
    flags = reported(configured(house))
    assert Path("results/report/foundation.html") not in flags.out and flags.answer_rates == []


def test_of_facet_the_page_has_the_questions_about_classes(house):
    flags = reported(configured(house, "talker"), "--config", "release={'archive': {'format': 'facet', 'path': 'a'}}")
    assert flags.class_questions == [Path("config/facet.yaml")]
    assert flags.recalls == [Path("results/analyse/recalls.parquet")]


def test_probes_bring_their_prompts_and_rates(house):
    models = house.folder / "config/models.yaml"
    entry = {**ENTRY, "task": "image_text"}
    models.write_text(models.read_text() + "\n" + yaml.safe_dump({"prober": entry}))
    flags = reported(configured(house, "prober"))
    assert flags.texts == [Path("results/evaluate/prober.texts.parquet")]
    assert flags.probe_effects == [Path("results/analyse/probe_effects.parquet")]
    assert Path("results/report/foundation.html") in flags.out and flags.answer_rates == []
