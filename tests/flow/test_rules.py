"""Every rule calls its step with the flags that the step's signature asks for."""

import datetime
import json
import re
import shlex
from collections import Counter
from graphlib import TopologicalSorter

import pytest
import yaml
import yte
from small import make_small

from accord.engine import step
from accord.findings import Findings
from accord.release.archives import formats
from accord.release.searching import register
from accord.release.searching.register import Search
from house import ROOT, House


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> House:
    """A house with two models of which no weights are here, one of them the one that paints."""
    house = make_small(tmp_path_factory.mktemp("rules"), subjects=2)
    run = [*yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluate"]["run"], "detr"]
    of = {"intake": {"deliveries": ["delivery"]}, "shards": 2, "report": {"caution": ""}, "evaluate": {"run": run}}
    house.configure(**of, privacy={"model": "big_lama"})
    return house


@pytest.fixture(scope="module")
def plan(house) -> list[str]:
    """What Snakemake says that it would do."""
    wanted = ["all", "results/evaluate/fetched.parquet"]
    return house.run("--dry-run", "--printshellcmds", "--forceall", *wanted).splitlines()


@pytest.fixture(scope="module")
def commands(plan):
    found = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in plan if "python -m accord " in line]
    return {name: flags for name, *flags in found}


def test_a_model_without_weights_is_left_out_and_told(plan, commands):
    [told] = [line for line in plan if line.startswith("left out: model detr: ")]
    assert "its weights are missing: looked for weights/facebook/detr-resnet-50/config.json" in told
    assert not any("results/evaluate/" in line and "/detr." in line for line in plan)
    flags = step.parser("report.index", step.load("report.index")).parse_args(commands["report.index"])
    assert len(flags.models["detr"]["missing"]) == 3
    assert (
        "detr"
        in step.parser("evaluate.fetch", step.load("evaluate.fetch")).parse_args(commands["evaluate.fetch"]).entries
    )


def test_a_model_that_paints_without_weights_is_told_before_anything_runs(plan, commands):
    [told] = [
        number for number, line in enumerate(plan) if "regions to paint would stop this run: model big_lama" in line
    ]
    assert "weights are missing: looked for weights/big-lama.pt" in plan[told]
    assert "accord weights fetch big_lama" in plan[told + 1]
    for name in ("privacy.permitted", "privacy.paint"):
        flags = step.parser(name, step.load(name)).parse_args(commands[name])
        assert flags.entry["name"] == "big_lama" and flags.model.startswith("big_lama@")
    fetched = step.parser("evaluate.fetch", step.load("evaluate.fetch")).parse_args(commands["evaluate.fetch"])
    assert "big_lama" in fetched.entries


def test_every_command_parses(commands):
    assert len(commands) > 20
    for name, flags in commands.items():
        step.parser(name, step.load(name)).parse_args(flags)


def test_every_command_carries_the_digest_of_its_code(commands):
    assert [name for name, flags in commands.items() if "--code" not in flags] == []


def test_of_many_shards_a_command_takes_its_flags_from_a_file(house):
    """More would not fit a command line; each shard's file is named, in their order."""
    said = house.run("results/consent/waiting.parquet", "--dry-run", "--printshellcmds", "--config", "shards=257")
    [line] = [line for line in said.splitlines() if "python -m accord consent.waiting " in line]
    start, _, listed = line.strip().partition(" @<(printf '%s\\0' ")
    flags, _, log = listed.rpartition(") 2> ")
    assert (start, log) == ("Shell command: python -m accord consent.waiting", "logs/consent/waiting.log")
    parsed = step.parser("consent.waiting", step.load("consent.waiting")).parse_args(shlex.split(flags))
    assert [str(path) for path in parsed.imported] == [f"results/consent/{n:04x}/import.json" for n in range(257)]


def test_all_that_checks_find_is_judged(commands):
    """By the step that settles it, or the one that says the verdicts; what privacy finds, by the waterfall."""
    parsed = {name: vars(step.parser(name, step.load(name)).parse_args(flags)) for name, flags in commands.items()}
    judging = ("checks.settle", "checks.verdicts", "release.waterfall")
    judged = {(path.parts[1], path.name) for name in judging for path in parsed[name]["findings"]}
    found = {
        (flags[out].parts[1], flags[out].name)
        for name, flags in parsed.items()
        for out, kind in step.outputs(step.signature(step.load(name))[1]).items()
        if step.table_of(kind) is Findings
    }
    # What these hold is in the tables of settled findings, too.
    held = {("checks", name) for name in ("logos.parquet", "web.parquet", "settled.parquet")}
    assert found - judged <= {*held, ("privacy", "findings.parquet")} and len(found) > 15


def test_releases_describe_annotators_as_consent_left_them(commands):
    """What intake took names also those who withdrew since."""
    flags = step.parser("release.plan", step.load("release.plan")).parse_args(commands["release.plan"])
    assert {path.parts[1] for path in flags.annotators} == {"consent"}


@pytest.mark.parametrize("name", sorted(formats.FORMATS.keys() - {formats.SEARCHED}))
def test_of_an_archive_nothing_is_curated_and_nothing_is_published(house, name):
    """Whatever deliveries there are."""
    wanted = [
        "--dry-run",
        "--printshellcmds",
        "--config",
        f"release={{'archive': {{'format': '{name}', 'path': 'a'}}}}",
    ]
    said = house.run(*wanted)
    assert "release.archive.path is not there, which would stop this run: a" in said
    planned = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in said.splitlines()
               if "python -m accord " in line and "--code" in line]  # fmt: skip
    assert {name.partition(".")[0] for name, *_ in planned} == {"release", "evaluate", "analyse", "report"}
    commands = {name: flags for name, *flags in planned}
    assert {name for name in commands if name.startswith("release.")} == {
        f"release.import_{name}",
        "release.describe_archive",
        *({"release.list_sources", "release.source_duplicates"} if name == "ai_face" else ()),
    }
    for of in (f"release.import_{name}", "release.describe_archive"):
        step.parser(of, step.load(of)).parse_args(commands[of])


def test_probes_are_planned_where_a_model_of_pictures_and_texts_runs(house, commands):
    """Elsewhere nothing of them is there; with it, a picture is encoded once a shard, prompts once, and both judged."""
    assert not {"evaluate.texts", "evaluate.masked", "analyse.probes"} & commands.keys()
    assert commands["evaluate.small"][commands["evaluate.small"].index("--segments") + 1].startswith("--")
    (house.folder / "config/looker.py").write_text('class Looker:\n    GPU = "torch"\n')
    listed = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    listed["looker"] = {"task": "image_text", "adapter": "config/looker.py:Looker", "weights": {}}
    listed["looker"] |= {"licence": "none", "source": "here"}
    (house.folder / "config/lookers.yaml").write_text(yaml.safe_dump(listed))
    run = [*yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluate"]["run"], "looker"]
    over = {"models": "config/lookers.yaml", "run": run}
    wanted = [
        "--dry-run",
        "--printshellcmds",
        "--forceall",
        "--nolock",
        "all",
        "--config",
        f"evaluate={json.dumps(over)}",
    ]
    said = house.run(*wanted)
    planned = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in said.splitlines()
               if "python -m accord " in line and "--code" in line]  # fmt: skip
    on_gpus = re.findall(r"rule (\w+):\n(?: .*\n)*?    resources: .*\bgpu=1\b", said)
    # LaMa, which this house paints with, uses one too; the small models do not.
    assert Counter(on_gpus) == {"evaluate_masked": 2, "evaluate_texts": 1, "privacy_paint": 2}
    told = [(name, step.parser(name, step.load(name)).parse_args(flags)) for name, *flags in planned]
    [texts] = [flags for name, flags in told if name == "evaluate.texts"]
    assert (texts.model["name"], texts.file.name) == ("looker", "probes.yaml")
    encoded = [flags for name, flags in told if name == "evaluate.masked"]
    assert len(encoded) == 2 and all(path.name == "segments.parquet" for one in encoded for path in one.segments)
    assert not [flag for name, *flags in planned for flag in flags if name == "evaluate.masked" and "probes" in flag]
    [probed] = [flags for name, flags in told if name == "analyse.probes"]
    assert sorted(probed.predictions) == sorted(one.out_predictions for one in encoded)
    assert probed.texts == [texts.out] and probed.pool == "max"
    [groups] = [flags for name, flags in told if name == "analyse.groups"]
    assert probed.out_scores in groups.scores


def test_a_rapid_test_is_planned_where_services_are_named(house, commands):
    """Boxes and templates per shard and service, faces once a shard for all, pairs once; then confidences, a page. A
    service behind a server makes no templates: it is shown pairs."""
    assert not {"evaluate.queries", "analyse.rapid", "report.rapid"} & commands.keys()
    listed = (house.folder / "config/services.yaml", ROOT / "config/models.yaml")
    far = {"task": "face_service", "adapter": "facepp:Client", "weights": {}, "licence": "none", "source": "here"}
    entries = {"far": {**far, "compares": "faces"}, "blind": {**far, "compares": "pictures"}}
    entries["far_2026"] = entries["far"] | {"options": {"version": "2026"}}
    listed[0].write_text(listed[1].read_text() + yaml.safe_dump(entries))
    rapid = {"services": ["yunet_sface", "mtcnn_dlib", "far", "blind"], "hand": {"share": 0.2}}
    rapid["earlier"] = {"far": "far_2026"}
    over = {"models": "config/services.yaml", "rapid": rapid, "external": {"max_calls": 7}}
    before = (house.folder / "config/test.yaml").read_text()
    mine = yaml.safe_load(before)
    house.configure(**{**mine, "evaluate": {**mine.get("evaluate", {}), **over}})
    try:
        out = house.run("--dry-run", "--printshellcmds", "--nolock", "all")
    finally:
        (house.folder / "config/test.yaml").write_text(before)
    planned = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in out.splitlines()
               if "python -m accord " in line and "--code" in line]  # fmt: skip
    told = [(name, step.parser(name, step.load(name)).parse_args(flags)) for name, *flags in planned]
    counts = {name: sum(name == other for other, _ in told) for name, _ in told}
    assert (
        2 * counts["evaluate.service_boxes"]
        == 5 * counts["evaluate.service_templates"]
        == 10 * counts["evaluate.queries"]
    )
    assert counts["evaluate.service_faces"] == counts["evaluate.query_copies"] == counts["evaluate.queries"]
    assert (counts["evaluate.service_pairs"], counts["evaluate.service_confidences"]) == (1, 2)
    pairwise = [flags for name, flags in told if name == "evaluate.service_comparisons"]
    limited = [flags for name, flags in told if name in ("evaluate.service_boxes", "evaluate.service_comparisons")]
    assert {flags.external["max_calls"] for flags in limited} == {7}
    assert {flags.service["name"] for flags in pairwise} == {"far", "far_2026", "blind"}
    assert all(len(flags.files) == len(flags.derivatives) == counts["evaluate.queries"] for flags in pairwise)
    assert all(flags.blind == ["blind"] for name, flags in told if name == "evaluate.service_faces")
    [tested] = [flags for name, flags in told if name == "analyse.rapid"]
    assert len(tested.confidences) == 5 and tested.rapid["rule"] == "published"
    assert tested.earlier == {"far": "far_2026"} and tested.out_changes and tested.by_hand
    [asked] = [flags for name, flags in told if name == "evaluate.identity_items"]
    [labelled] = [flags for name, flags in told if name == "analyse.hand_labels"]
    assert (labelled.asked, tested.hand, asked.share) == ([asked.out], [labelled.out], 0.2)
    [page] = [flags for name, flags in told if name == "report.rapid"]
    assert page.curves == [tested.out_curves] and page.by_hand
    assert [flags.rapid for name, flags in told if name == "report.index"] == [True]


@pytest.fixture(scope="module")
def graph(house) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Number -> rule; (number, number of one that waits for it)."""
    said = house.run("--rulegraph", "--forceall", "--nolock")
    return dict(re.findall(r'(\d+)\[label = "(\w+)"', said)), re.findall(r"(\d+) -> (\d+)", said)


def test_nobody_is_judged_before_their_forms_are_in_the_ledger(graph):
    """The step reads the ledger, which is no input of its rule."""
    rules, edges = graph
    assert ("consent_record", "consent_apply") in {(rules[before], rules[after]) for before, after in edges}


def test_a_search_is_planned_for_its_test_alone_and_its_pictures_are_fleeting(house):
    """Nothing else is made of people who consented to nothing; without a basis nothing is planned at all."""
    with register.opened(house.folder / "found/vault") as known:
        known.add([Search(known.id_of(name), name, "", {}) for name in ("Ada", "Grace")])
    until = (datetime.date.today() + datetime.timedelta(30)).isoformat()
    terms = {"basis": "The ethics board allows this study.", "until": until}
    search = {"searcher": "google_images", "most": 20, "max_requests": 9, "retention_hours": 1}
    archive = {"format": "search", "terms": terms, "search": search}
    before = (house.folder / "config/test.yaml").read_text()

    def planned(archive, **how):
        house.configure(
            shards=2,
            vault="found/vault",
            pathvars={"results": "found/results", "logs": "found/logs"},
            evaluate={"rapid": {"services": ["yunet_sface", "mtcnn_dlib"], "impostors": 0}},
            analyse={"min_subjects": 10},
            release={"archive": archive},
        )
        try:
            return house.run("--dry-run", "--printshellcmds", "--nolock", "all", **how)
        finally:
            (house.folder / "config/test.yaml").write_text(before)

    out = planned(archive)
    steps = {line.split("python -m accord ")[1].split()[0] for line in out.splitlines() if "python -m accord " in line}
    assert {"release.import_search", "analyse.rapid", "report.rapid"} <= steps
    assert not {"report.index", "evaluate.detect", "train.detector", "release.publish"} & steps
    assert "Ada" not in out and "Grace" not in out
    assert len(re.findall(r"Would remove temporary output found/results/release/0[01]/files.tar", out)) == 2
    for gone in ("derivatives.parquet", "yunet_sface.templates.parquet"):
        assert re.search(rf"Would remove temporary output found/results/\w+/0[01]/{gone}", out)
    over_now = planned({**archive, "terms": {**terms, "until": "2020-01-01"}}, check=False)
    assert "was 2020-01-01: what allowed this is over" in over_now and "release.import_search" not in over_now


def test_no_group_of_jobs_waits_for_itself(graph):
    """On Slurm such a run would stand still for ever."""
    profile = (ROOT / "workflow/profiles/slurm/config.yaml").read_text()
    groups = yte.process_yaml(profile, require_use_yte=True)["groups"]
    rules, edges = graph
    units = {number: groups.get(rule, rule) for number, rule in rules.items()}
    assert set(groups.values()) <= set(units.values())
    waiting = TopologicalSorter()
    for before, after in edges:
        if units[before] != units[after]:
            waiting.add(units[after], units[before])
    waiting.prepare()
