"""Tables of kept rows and their bundles lose a person and nobody else: they are as if made without them."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from erase_cases import IMAGES, SHARD, House, image, record_of, who
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import kept, table
from accord.engine.parameter_types import Former
from accord.erase.cases import case as cases
from accord.erase.cases import machine, person, receipt
from accord.erase.cases.case import FACTS, PERSON
from accord.erase.cases.machine import Options
from accord.erase.executing import execute, kept_rows
from accord.erase.planning import closure, plan
from accord.files import PARTIAL
from accord.imaging import bundle
from accord.imaging.bundle import BundleWriter
from accord.scan.dossier import IMAGE, Dossier, Value
from accord.scan.inspection import Inspector
from accord.scan.walk import walk
from accord.sealing import dsse, signing
from killing import changes

BY = {"step": "room.step", "inputs": {}, "outputs": {"files": "0"}}
A, B, C = "image a", "image b", "image c"
ANN, BOB = "subject ann", "subject bob"
GONE = {image("IMG_00001"), image("IMG_00002"), who("ann")}


class Seen(table.Table):
    image: str
    subject: str
    score: float = table.pa.Field(nullable=True)
    vector: object = table.pa.Field(metadata=table.FLOAT_VECTOR)


class Files(table.Table):
    image: str = table.pa.Field(unique=True)
    subject: str
    member: str
    offset: int
    size: int
    sha256: str


def content(name: str) -> bytes:
    return f"picture of {name} ".encode() * (1 + len(name) % 7)


def of(name: str, people: list[str]) -> list[tuple]:
    return [(name, one, np.nan if n else 0.5, np.array([n, len(name)], np.float32)) for n, one in enumerate(people)]


def make(folder: Path, images: dict[str, list[str]], by: dict = BY) -> None:
    """What a step that keeps rows writes of some images (image -> people in it), from nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    digests = {name: kept.digest(name) for name in images}
    seen = [row for name, people in images.items() for row in of(name, people)]
    joined = kept.joined(kept.memory(Former(), "seen", Seen), Seen, digests, seen)
    table.write(joined.rows, Seen, folder / "seen.parquet", by, joined.digests)
    with BundleWriter(folder / "files.tar") as tar:
        rows = [
            (name, *(people[:1] or [""]), *tar.add(f"{name}.png", content(name)))
            for name, people in sorted(images.items())
        ]
    joined = kept.joined(kept.memory(Former(), "made", Files), Files, digests, rows)
    table.write(joined.rows, Files, folder / "made.parquet", by, joined.digests)


def prune(folder: Path, ids: set[str]) -> None:
    for found in kept_rows.staying([str(path) for path in sorted(folder.iterdir())], ids):
        kept_rows.prune(found)


def state(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


NAMES = st.text("abcdef0123456789", min_size=16, max_size=16)
PEOPLE = ["p" * 16, "q" * 16, "r" * 16]
WORLDS = st.dictionaries(NAMES, st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True), max_size=6)


@settings(max_examples=25, deadline=None)
@given(WORLDS, st.sets(st.sampled_from(PEOPLE), min_size=1), st.data())
def test_what_stays_is_byte_for_byte_what_is_made_without_them(tmp_path_factory, world, people, data):
    root = tmp_path_factory.mktemp("world")
    images = data.draw(st.sets(st.sampled_from(sorted(world)))) if world else set()
    images |= {name for name, shown in world.items() if people & set(shown)}
    make(root / "pruned", world)
    make(root / "without", {name: shown for name, shown in world.items() if name not in images})
    prune(root / "pruned", people | images)
    assert state(root / "pruned") == state(root / "without")
    shutil.rmtree(root)


def test_an_image_of_another_that_names_them_falls_whole(tmp_path):
    make(tmp_path, {A: [ANN], B: [BOB, ANN], C: [BOB]})
    prune(tmp_path, {A, ANN})
    assert set(pq.read_table(tmp_path / "seen.parquet")["image"].to_pylist()) == {C}
    assert set(kept.digests(tmp_path / "seen.parquet")) == {C}
    rows = table.read(tmp_path / "made.parquet", Files)
    assert list(rows["image"]) == [B, C]  # this table names bob alone there
    assert [bundle.read(tmp_path / "files.tar", row) for row in rows.itertuples()] == [content(B), content(C)]


def test_an_image_without_rows_leaves_the_footer(tmp_path):
    make(tmp_path, {"a" * 16: [], C: [BOB]})
    before = table.read(tmp_path / "seen.parquet", Seen)
    assert closure.rows_naming(tmp_path / "seen.parquet", {"a" * 16}) == 1
    prune(tmp_path, {"a" * 16})
    assert closure.rows_naming(tmp_path / "seen.parquet", {"a" * 16}) == 0
    assert set(kept.digests(tmp_path / "seen.parquet")) == {C}
    assert table.read(tmp_path / "seen.parquet", Seen).equals(before)


def test_rows_that_no_digest_knows_stay_where_they_name_nobody(tmp_path):
    path = tmp_path / "seen.parquet"
    rows = table.rows([row for name, people in {A: [ANN], B: [BOB]}.items() for row in of(name, people)], Seen)
    table.write(rows, Seen, path, BY, {})
    prune(tmp_path, {ANN})
    assert list(table.read(path, Seen)["image"]) == [B]
    assert kept.digests(path) == {}


@pytest.mark.parametrize("harm", ["plain", "cut", "footer", "dictionary", "told elsewhere"])
def test_what_is_no_whole_table_of_kept_rows_does_not_stay(tmp_path, harm):
    make(tmp_path, {A: [ANN], B: [BOB]})
    path = tmp_path / "seen.parquet"
    rows = pq.read_table(path)
    if harm == "plain":
        table.write(table.read(path, Seen), Seen, path, BY)
    elif harm == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif harm == "footer":
        table.save(rows.replace_schema_metadata({table.MADE_FROM: b"[1"}), path)
    elif harm == "dictionary":
        coded = rows["subject"].dictionary_encode()
        table.save(rows.set_column(1, "subject", coded).replace_schema_metadata(rows.schema.metadata), path)
    else:
        table.write(table.read(path, Seen), Seen, path, {**BY, "params": {"of": ANN}}, kept.digests(path))
    assert kept_rows.without(path, {ANN}) is None
    (found,) = kept_rows.staying(map(str, tmp_path.iterdir()), {ANN})
    assert str(path) not in found.paths


def test_a_bundle_that_no_table_of_kept_rows_tells_of_does_not_stay(tmp_path):
    make(tmp_path, {A: [ANN], B: [BOB]})
    rows = table.read(tmp_path / "made.parquet", Files)
    table.write(rows, Files, tmp_path / "made.parquet", BY)
    (found,) = kept_rows.staying(map(str, tmp_path.iterdir()), {ANN})
    assert found.paths == [str(tmp_path / "seen.parquet")]
    table.write(rows.assign(member="other.png"), Files, tmp_path / "made.parquet", BY, {A: "0", B: "0"})
    (found,) = kept_rows.staying(map(str, tmp_path.iterdir()), {ANN})
    assert not found.bundles


def test_a_bundle_that_is_not_what_its_table_says_goes(tmp_path):
    make(tmp_path, {A: [ANN], B: [BOB]})
    data = (tmp_path / "files.tar").read_bytes()
    (tmp_path / "files.tar").write_bytes(data.replace(content(B), content(B).upper()))
    prune(tmp_path, {A, ANN})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.parquet", "seen.parquet"]


def test_members_that_no_table_tells_of_are_dropped(tmp_path):
    make(tmp_path, {A: [ANN], B: [BOB]})
    make(tmp_path / "without", {B: [BOB]})
    rows = table.read(tmp_path / "made.parquet", Files)
    table.write(rows[rows["image"] == B], Files, tmp_path / "made.parquet", BY, {B: kept.digest(B)})
    prune(tmp_path, {ANN})
    assert (tmp_path / "files.tar").read_bytes() == (tmp_path / "without/files.tar").read_bytes()
    assert (tmp_path / "made.parquet").read_bytes() == (tmp_path / "without/made.parquet").read_bytes()


def test_each_bundle_of_a_folder_is_pruned_by_its_own_table(tmp_path):
    """As pictures and videos lie in one folder."""
    for root, people in (("pruned", [ANN, BOB]), ("without", [BOB])):
        folder = tmp_path / root
        make(folder, {image: [who] for image, who in ((A, ANN), (B, BOB)) if who in people})
        make(folder / "films", {film: [who] for film, who in (("film a", ANN), ("film b", BOB)) if who in people})
        for name in ("files.tar", "made.parquet"):
            (folder / "films" / name).rename(folder / f"films_{name}")
        shutil.rmtree(folder / "films")
    prune(tmp_path / "pruned", {ANN})
    assert state(tmp_path / "pruned") == state(tmp_path / "without")


def test_pruning_that_was_stopped_before_any_change_ends_in_the_same_bytes(tmp_path):
    world = {A: [ANN], B: [BOB], C: [BOB, ANN]}
    make(tmp_path / "whole", world)
    made = changes(partial(prune, tmp_path / "whole", {ANN}))
    assert made >= 3
    for fatal in range(1, made + 1):
        folder = tmp_path / str(fatal)
        make(folder, world)
        assert changes(partial(prune, folder, {ANN}), fatal) is None
        prune(folder, {ANN})
        assert state(folder) == state(tmp_path / "whole")


# The whole case: a project in which a room keeps rows.


def keep(results: Path, references: list[str]) -> None:
    """What the privacy room keeps of two shards, and what is made from it."""
    for shard in ("00", "01"):
        images = {image(r): [who(name) for name in IMAGES[r]] for r in references if SHARD[r] == shard}
        by = {**BY, "inputs": {f"results/intake/{shard}/images.parquet": "0" * 64}}
        make(results / "privacy" / shard, images, by)


@pytest.fixture
def keeping(house) -> House:
    """The house, with rooms that keep rows, and what a run that was killed left of them in Snakemake's folder."""
    keep(Path("results"), list(IMAGES))
    keep(Path("after/results"), [name for name, people in IMAGES.items() if "ann" not in people])
    shutil.copytree("results/privacy", ".snakemake/backups/results/privacy")
    for path in sorted(Path("results/privacy").rglob("*.*")):
        record_of(str(path)).write_text(json.dumps({"rule": "a_step", "log": []}))
    return house


def executed(house: House) -> cases.Case:
    machine.open_new(house.places, house.effects())
    (case,) = cases.every(house.places.cases)
    machine.carry_on([case], house.places, house.effects(), Options(None))
    return case


def test_a_case_takes_a_person_out_of_what_stays(keeping, tmp_path):
    keep(tmp_path / "without", ["IMG_00003", "IMG_00004", "IMG_00005"])
    untouched = Path("results/privacy/01/made.parquet").stat().st_mtime_ns
    case = executed(keeping)
    assert case.stage == "executed"
    assert state(Path("results/privacy")) == state(tmp_path / "without/privacy")
    assert Path("results/privacy/01/made.parquet").stat().st_mtime_ns == untouched
    left = b"".join(path.read_bytes() for path in Path("results").rglob("*") if path.is_file())
    assert [one for one in GONE if one.encode() in left] == []
    assert (case.read(FACTS)["results"], case.read(FACTS)["pruned"]) == (8, 3)


def test_the_jobs_of_what_stays_run_again(keeping):
    executed(keeping)
    for name in ("files.tar", "made.parquet", "seen.parquet"):
        assert not record_of(f"results/privacy/00/{name}").exists()
        assert closure.unfinished(Path(".snakemake"), f"results/privacy/00/{name}").is_file()
        assert record_of(f"results/privacy/01/{name}").exists()
    assert len(list(Path(".snakemake/incomplete").iterdir())) == 3


def test_snakemake_runs_such_a_job_again(tmp_path, monkeypatch):
    """It would not for want of a record alone, and its former output is there meanwhile."""
    monkeypatch.chdir(tmp_path)
    Path("in").write_text("x")
    Path("Snakefile").write_text(
        'rule b:\n    input: "out"\n    output: "last"\n    shell: "cp {input} {output}"\n'
        'rule a:\n    input: "in"\n    output: update("out")\n    shell: "echo again >> {output}"\n'
    )
    command = [str(Path(sys.executable).with_name("snakemake")), "--cores", "1", "--rerun-incomplete", "--quiet", "all"]
    subprocess.run(command, check=True)
    for path in (record_of("out"), record_of("last"), Path("last")):
        path.unlink()
    closure.call_unfinished(Path(".snakemake"), "out")
    subprocess.run(command, check=True)
    assert Path("last").read_text() == "again\nagain\n"
    assert not closure.unfinished(Path(".snakemake"), "out").exists()


def test_the_plan_and_the_receipt_tell_what_stays(keeping):
    machine.open_new(keeping.places, keeping.effects())
    (case,) = cases.every(keeping.places.cases)
    told = plan.text(plan.document(next(machine.planned([case], keeping.places, keeping.effects()))))
    assert "11 files: " in told
    assert "3 of them are kept, without the rows and files of these images" in told
    assert "6 backup copies of outputs" in told
    assert machine.carry_on([case], keeping.places, keeping.effects(), keeping.options()) == []
    key = signing.signing_key(keeping.places.vault)
    told = receipt.check((case.folder / "receipt.dsse.json").read_bytes(), key.public_key())
    assert "8 result files deleted, 3 rewritten without them" in receipt.text(told)
    del told["pruned"]  # a receipt of an earlier version
    before = receipt.check(dsse.seal(receipt._statement(told), key), key.public_key())
    assert "8 result files deleted, 0 rewritten without them" in receipt.text(before)


def test_copies_of_former_outputs_are_found_and_erased(keeping):
    inspector = Inspector(Dossier(frozenset({Value(IMAGE, image("IMG_00001"))}), (), {}))
    walk([Path(".snakemake")], inspector)
    copied = Path(".snakemake/backups/results/privacy/00")
    assert {finding.place.path for finding in inspector.findings} == {
        str(copied / name) for name in ("files.tar", "made.parquet", "seen.parquet")
    }
    executed(keeping)
    assert [path for path in Path(".snakemake/backups").rglob("*") if path.is_file()] == []


def test_the_scan_reads_footers(tmp_path):
    make(tmp_path, {"a" * 16: [], C: [BOB]})
    inspector = Inspector(Dossier(frozenset({Value(IMAGE, "a" * 16)}), (), {}))
    walk([tmp_path / "seen.parquet"], inspector)
    assert inspector.findings


def test_what_still_names_them_stops_the_case(keeping, monkeypatch):
    monkeypatch.setattr(kept_rows, "prune", lambda folder: None)
    case = executed(keeping)
    assert case.stage == "planned"
    assert not case.has("results deleted")


@pytest.mark.slow
def test_stopped_before_any_change_it_ends_in_the_same_bytes(keeping, tmp_path_factory):
    """Only the deletion of results is stopped here: tests/erase/test_crash.py stops whole erasures."""
    machine.open_new(keeping.places, keeping.effects())
    (case,) = cases.every(keeping.places.cases)
    plan.make(case, keeping.places, keeping.effects())
    root = tmp_path_factory.mktemp("stopped")
    shutil.copytree(Path.cwd(), root / "before", symlinks=True)

    def delete(folder: Path) -> None:
        os.chdir(folder)
        house = House.there()
        (case,) = cases.every(house.places.cases)
        work = execute.Work(case, house.places, house.effects(), person.of(case.read(PERSON)))
        execute._delete_results(work)

    def after(folder: Path) -> tuple:
        (case,) = cases.every(folder / "vault/erasures")
        return case.read(FACTS), *(state(folder / name) for name in ("results", ".snakemake", "logs"))

    whole, left = shutil.copytree(root / "before", root / "whole", symlinks=True), 0
    made = changes(partial(delete, whole))
    assert after(whole)[0]["pruned"] == 3
    for fatal in range(1, made + 1):
        folder = shutil.copytree(root / "before", root / f"{fatal}", symlinks=True)
        assert changes(partial(delete, folder), fatal) is None
        left += len(list((folder / "results").rglob(f"*{PARTIAL}")))
        changes(partial(delete, folder))
        assert after(folder) == after(whole)
        shutil.rmtree(folder)
    assert left  # unfinished files were there, and were swept
