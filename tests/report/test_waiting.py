"""What waits for people: counted from the results' tables, and said by `accord summary`."""

import json
from pathlib import Path

import pytest

from accord.engine import table
from accord.errors import AccordError
from accord.report import command as summary
from accord.report.reading.waiting import HOLDS_NOTHING, Waiting, how, lines, waiting
from accord.review.tables import Decisions, Items

CONFIG = Path(__file__).parents[2] / "config/config.yaml"
ITEM = {"image": "a", "subject": "s", "other": "", "region": "", "check": "c", "kind": "k", "polygon": [],
        "score": None, "threshold": None, "reason": ""}  # fmt: skip
DECISION = {"number": 0, "image": "a", "region": "", "decision": "dismiss", "kind": "k", "polygon": [],
            "entry": "e" * 64}  # fmt: skip


@pytest.fixture
def results(tmp_path):
    """Two undecided items on the web and a decided one, an undecided painted region; policies in the records."""

    def write(name, rows, usual, model, params=None):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        made = table.rows([{**usual, "item": item, "queue": queue} for item, queue in rows], model)
        table.write(made, model, path, {"params": params or {}})

    write("checks/items.parquet", [("i1", "web"), ("i2", "web"), ("i3", "web")], ITEM, Items)
    write("checks/00/decisions.parquet", [("i2", "web")], DECISION, Decisions)
    write("checks/01/decisions.parquet", [("gone", "web")], DECISION, Decisions)
    write("checks/00/settled.parquet", [], DECISION, Decisions, {"policies": {"web": "drop"}})
    write("privacy/00/items.parquet", [("i4", "inpainting")], ITEM, Items)
    write("privacy/00/decisions.parquet", [], DECISION, Decisions)
    write("privacy/00/settled.parquet", [], DECISION, Decisions, {"policies": {"inpainting": "hold"}})
    return tmp_path


def test_items_are_counted_by_queue(results):
    found = waiting(results)
    assert found == [Waiting("inpainting", 1, 1, "hold"), Waiting("web", 3, 2, "drop")]
    assert list(lines(found)) == [
        "  inpainting: 1 item, 1 waiting (policy hold)",
        "  web: 3 items, 2 waiting (policy drop)",
    ]
    assert list(lines([Waiting("web", 3, 2, HOLDS_NOTHING)])) == [
        "  web: 3 items, 2 waiting (random sample, blocks nothing)"
    ]
    assert list(lines([Waiting("web", 3, 0, "drop")])) == ["  web: 3 items, 0 waiting (all decided)"]


def test_what_waits_stands_with_the_commands_that_open_it():
    """Images that are held come before a sample that holds none; where nothing waits, nothing is to be done."""
    sample, held = Waiting("agreement", 2, 2, HOLDS_NOTHING), Waiting("web", 3, 2, "drop")
    assert list(how([sample, held])) == [
        "to decide, as reviewer NAME (docs/review.md)",
        "  accord review add --name NAME",
        "  accord review assign --queue web --reviewer NAME",
        "  accord review serve",
    ]
    assert list(how([sample], ["--config", "my run.yaml"]))[2:] == [
        "  accord review assign --queue agreement --reviewer NAME --config 'my run.yaml'",
        "  accord review serve --config 'my run.yaml'",
    ]
    assert list(how([Waiting("web", 3, 0, "drop")])) == []


def test_the_printed_commands_are_commands():
    from accord.review import command

    for line in list(how([Waiting("web", 1, 1, "drop")], ["--results", "r", "--config", "a.yaml", "b.yaml"]))[1:]:
        told = command.parser().parse_args(line.split()[2:])
        assert (str(told.results), [str(one) for one in told.config]) == ("r", ["a.yaml", "b.yaml"])


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ([], []),
        (["--config", "config/config.yaml"], []),
        (
            ["--results", "r", "--config", "config/config.yaml", "b.yaml"],
            ["--results", "r", "--config", "config/config.yaml", "b.yaml"],
        ),
    ],
)
def test_the_run_that_is_meant_is_named_where_it_is_not_the_usual_one(words, given):
    assert summary._given(summary.parser().parse_args(words)) == given


def test_results_without_items_have_nothing_to_tell(tmp_path):
    assert waiting(tmp_path) == []


def test_a_search_is_told_with_its_one_page_and_no_release(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made = {"dataset": "search", "version": "search", "path": "search", "images": 83, "subjects": 12}
    for name, text in {"release/release.json": json.dumps(made), "report/rapid.html": "<p>"}.items():
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert summary.main(["--results", "results", "--config", str(CONFIG)]) == 0
    assert capsys.readouterr().out.startswith(
        "pictures of a search, deleted since: 83 images of 12 people\nreport\n  results/report/"
    )
    (tmp_path / "results/report/rapid.html").unlink()
    with pytest.raises(AccordError, match=r"rapid\.html: is missing"):
        summary.main(["--results", "results", "--config", str(CONFIG)])


def test_a_run_that_waits_for_reviews_is_told_with_what_is_to_be_decided(results, monkeypatch, capsys):
    monkeypatch.chdir(results)
    words = ["--results", ".", "--config", str(CONFIG)]
    assert summary.main(words) == 0
    told = capsys.readouterr().out
    assert told.startswith("no release yet: it is published once what holds images is decided (release.publish)\n")
    assert (
        "  inpainting: 1 item, 1 waiting (policy hold)\n" in told and "accord review assign --queue inpainting" in told
    )
    assert summary.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["release"] is None


def test_what_an_earlier_run_published_stands_beside_what_the_next_version_waits_for(results, monkeypatch, capsys):
    monkeypatch.chdir(results)
    made = {"dataset": "d", "version": "1.0.0", "path": "releases/1.0.0", "images": 3, "subjects": 2}
    for name, text in {
        "release/release.json": json.dumps(made),
        "report/index.html": "<p>",
        "releases/1.0.0/a": "",
    }.items():
        path = results / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert summary.main(["--results", ".", "--config", str(CONFIG)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("release 1.0.0: 3 images of 2 people\n")
    assert told.endswith("the next version is published once what holds images is decided (release.publish)\n")


def test_a_run_that_failed_is_not_told_to_be_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/intake").mkdir(parents=True)
    with pytest.raises(
        AccordError, match=r"release\.json: is missing: the last run did not come so far\n.*accord failures"
    ):
        summary.main(["--results", "results", "--config", str(CONFIG)])
    with pytest.raises(AccordError, match="run the workflow first"):
        summary.main(["--results", "nowhere", "--config", str(CONFIG)])
