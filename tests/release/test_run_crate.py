"""The Provenance Run Crate: what an independent validator says, and what of the graph is in it."""

import hashlib
import json
import shutil
from importlib.metadata import files as files_of
from pathlib import Path

import pytest
import requests

from accord.engine import provenance
from accord.release.papers import jobs, origin, run_crate

pytest.importorskip("rocrate_validator")
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
QUIET = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def written(path: str, step: str, inputs: list[str], params: dict) -> str:
    """A file that carries its provenance, as a step writes it."""
    record = provenance.record(step, "c0de", {"given": [Path(name) for name in inputs]}, params)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps({"provenance": record, "path": path}))
    return path


@pytest.fixture
def graph(tmp_path, monkeypatch) -> list[Path]:
    """Two shards of three steps, and a gather; the files that publish would be given."""
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    Path("config/prompts.yaml").write_text("prompt")
    last = []
    for shard in ("00", "01"):
        first = written(
            f"results/intake/{shard}/images.json", "intake.shard", [], {"shard": shard, "deliveries": ["d"]}
        )
        consent = written(f"results/consent/{shard}/images.json", "consent.apply", [first], {"as_of": "2026-11-01"})
        last += [written(f"results/privacy/{shard}/edits.json", "privacy.paint", [consent, "config/prompts.yaml"], {})]
    return [Path(written("results/release/verdicts.json", "release.waterfall", last, {"vault": "vault"}))]


@pytest.fixture
def release(graph, tmp_path, tiny, shards) -> Path:
    """A release whose origin is the graph."""
    house = tiny.House(tmp_path / "house", shards)
    house.folder.mkdir()
    house.lineage = graph
    house.publish()
    return house.releases / "1.0.0"


def complaints(folder: Path, monkeypatch, severity: str = "REQUIRED") -> list[str]:
    """What the validator says against a crate; it gets RO-Crate's context from a package, nothing from a network."""
    from rocrate_validator import models, services

    place = next(file for file in files_of("rocrate") if file.name == "ro-crate.jsonld")
    context = Path(place.locate()).read_bytes()
    assert json.loads(context)["@id"] == CONTEXT

    def send(session, request, **options):
        assert request.url == CONTEXT, "the network was asked for"
        answer = requests.Response()
        answer.status_code, answer._content, answer.url = 200, context, request.url
        answer.headers["Content-Type"] = "application/ld+json"
        return answer

    monkeypatch.setattr(requests.Session, "send", send)
    wanted = {"rocrate_uri": str(folder), "profile_identifier": "provenance-run-crate", "no_cache": True}
    settings = services.ValidationSettings(
        **wanted, requirement_severity=getattr(models.Severity, severity), abort_on_first=False
    )
    return [issue.message for issue in services.validate(settings).get_issues()]


@QUIET
def test_a_release_is_a_valid_provenance_run_crate(release, monkeypatch):
    assert complaints(release, monkeypatch) == []


@QUIET
def test_of_what_is_recommended_times_and_places_alone_are_left_out(release, monkeypatch):
    said = set(complaints(release, monkeypatch, "RECOMMENDED"))
    left_out = ("endTime", " url", "URL", "absolute URI", "README", "`publisher`")
    assert [text for text in said if not any(word in text for word in left_out)] == []


def without(crate: dict, kind: str, key: str) -> dict:
    """The crate without a property of all entities of a kind."""
    graph = [
        {k: v for k, v in entity.items() if k != key} if kind in entity["@type"] else entity
        for entity in crate["@graph"]
    ]
    return {**crate, "@graph": graph}


BROKEN = {
    ("CreateAction", "instrument"): "The Action MUST have an instrument",
    ("HowToStep", "workExample"): "A HowToStep must refer to its corresponding tool",
    ("ControlAction", "object"): "A ControlAction must reference the action",
    ("ComputationalWorkflow", "hasPart"): "ComputationalWorkflow MUST refer to orchestrated tools",
    ("Dataset", "license"): "license",
}
"""What is taken out of a crate, and what the validator says then."""


@QUIET
def test_the_validator_would_see_what_is_missing(release, monkeypatch):
    file = release / run_crate.NAME
    crate = json.loads(file.read_text())
    for kind, key in BROKEN:
        crate = without(crate, kind, key)
    file.chmod(0o644)
    file.write_text(json.dumps(crate))
    said = complaints(release, monkeypatch)
    assert [text for text in BROKEN.values() if not any(text in message for message in said)] == []


def test_every_job_is_told_with_its_code_its_files_and_its_step(release, graph):
    told = {entity["@id"]: entity for entity in json.loads((release / run_crate.NAME).read_text())["@graph"]}
    actions = [entity for entity in told.values() if entity["@type"] == "CreateAction" and entity["@id"] != "#run"]
    twice = ["intake.shard", "consent.apply", "privacy.paint"]
    assert sorted(a["name"] for a in actions) == sorted([*twice, *twice, "release.waterfall", "release.publish"])
    gather = next(action for action in actions if action["name"] == "release.waterfall")
    read = {told[one["@id"]]["name"]: told[one["@id"]]["sha256"] for one in gather["object"]}
    assert read == {
        path: hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for path in ("results/privacy/00/edits.json", "results/privacy/01/edits.json")
    }
    assert told[told["#step/privacy.paint"]["workExample"]["@id"]]["softwareVersion"] == "c0de"
    steps = sorted((e for e in told.values() if e["@type"] == "HowToStep"), key=lambda e: int(e["position"]))
    assert [step["@id"].removeprefix("#step/") for step in steps] == [
        *["intake.shard", "consent.apply", "privacy.paint"],
        *["release.waterfall", "release.publish"],
    ]
    outside = told["#run"]["object"]
    assert sha("prompt") in [told[one["@id"]]["sha256"] for one in outside if "sha256" in told[one["@id"]]]
    assert told["./"]["datePublished"] == "2026-11-01"


def test_it_tells_no_places_and_no_images(release, tiny):
    text = (release / run_crate.NAME).read_text()
    inner = [*tiny.IMAGES, "sub-1", tiny.ANNOTATOR, str(release), str(Path.cwd()), "../", '"vault', "/deliveries"]
    assert [word for word in inner if word in text] == []


def test_what_the_crate_says_is_not_content(graph, tmp_path, tiny, shards, monkeypatch):
    house = tiny.House(tmp_path / "house", shards)
    house.folder.mkdir()
    first = house.publish()
    house.lineage = graph
    assert house.publish() == first


def test_a_version_is_restored_as_it_was_after_the_code_changed(release, graph, tmp_path, tiny, shards, monkeypatch):
    house = tiny.House(tmp_path / "house", shards)
    house.lineage = graph
    before = house.bytes_of("1.0.0")
    shutil.rmtree(release)
    monkeypatch.setattr(origin.source, "digest", lambda step: "0ther")
    monkeypatch.setattr(origin, "RULES", ("Snakefile",))
    Path("results/release/verdicts.json").unlink()
    house.publish()
    assert house.bytes_of("1.0.0") == before


def test_a_stopped_attempt_leaves_no_crate_of_other_content(graph, tmp_path, tiny, shards, monkeypatch):
    house = tiny.House(tmp_path / "house", shards)
    house.folder.mkdir()
    monkeypatch.setattr("accord.release.seal.versions.record", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        house.publish()
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    house.lineage = graph
    house.publish()
    assert "privacy.paint" in (house.releases / "1.0.0" / run_crate.NAME).read_text()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("results/privacy/00/edits.parquet", "results/privacy/00/edits.parquet"),
        ("../../scratch/me/release/00/files.tar", "release/00/files.tar"),
        ("../somebody/web.csv", "web.csv"),
        ("/scratch/x/intake/00/images.tar", "intake/00/images.tar"),
    ],
)
def test_paths_from_outside_tell_no_folders_but_their_room(path, told):
    assert jobs.public(path) == told


def test_a_bundle_has_the_story_of_the_table_that_was_written_with_it(tmp_path, monkeypatch):
    import pandas as pd

    from accord.checks.tables.findings import Verdicts
    from accord.engine import table

    monkeypatch.chdir(tmp_path)
    Path("images.tar").write_bytes(b"tar")
    record = provenance.with_outputs(provenance.record("intake.shard", "c", {}, {}), {"bundle": Path("images.tar")})
    table.write(pd.DataFrame(table.empty(Verdicts)), Verdicts, Path("images.parquet"), record)
    (job,) = jobs.jobs({Path("images.tar"): provenance.sha256(Path("images.tar"))})
    assert (job.step, job.position) == ("intake.shard", 1)
    assert job.outputs == (jobs.File("images.tar", hashlib.sha256(b"tar").hexdigest()),)
