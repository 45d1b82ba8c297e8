"""Digests of shards: what changes them, and what leaves them alone."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intake_cases import Maker

from accord.errors import AccordError
from accord.intake import shard as intake
from accord.intake.delivered import digests
from accord.intake.delivered.delivery import SCHEMA
from accord.shards import names, opaque_id, shard_of
from accord.text.references import normal

COUNT = 64
ANN, BOB = (shard_of(opaque_id("acme", name), COUNT) for name in ("ann", "bob"))


def changed(maker, change) -> set[str]:
    """The shards whose digest a change changes."""
    before = digests.read([str(maker.write())], COUNT).digests
    change(maker)
    after = digests.read([str(maker.write())], COUNT).digests
    return {shard for shard in before if before[shard] != after[shard]}


def rewrite(path):
    """A change of a file, which its row may not say: another size."""
    return lambda maker: maker.files.update({path: maker.files[path] + b" "})


def test_ann_and_bob_live_in_two_shards():
    assert ANN != BOB


def test_nothing_changed(maker):
    assert changed(maker, lambda maker: None) == set()


@pytest.mark.parametrize(
    ("change", "shards"),
    [
        (rewrite("images/IMG_1.jpg"), {ANN}),
        (rewrite("images/IMG_3.jpg"), {BOB}),
        (rewrite("annotations/IMG_2.json"), {ANN}),
        (rewrite("forms/r-ann.txt"), {ANN}),
        (rewrite("forms/c-bob.txt"), {ANN, BOB}),
        (lambda m: m.row("people.csv", image="IMG_2", subject="bob").update(age="36"), {ANN}),
        (lambda m: m.row("people.csv", image="IMG_3").update(age="36"), {BOB}),
        (lambda m: m.row("annotated.csv", image="IMG_3").update(annotator="a2"), {BOB}),
        (lambda m: m.row("subjects.csv", subject="bob").update(birth_date="2000-01-01"), {ANN, BOB}),
        (lambda m: m.row("subjects.csv", subject="ann").update(birth_date="2000-01-01"), {ANN}),
        (lambda m: m.about.update(contact="other@acme.example"), set()),
        (lambda m: (m.files.pop("images/IMG_3.jpg"), (m.root / "images/IMG_3.jpg").unlink()), {BOB}),
    ],
)
def test_a_change_reaches_the_shards_that_hold_it(maker, change, shards):
    assert changed(maker, change) == shards


def test_whether_it_is_rendered_reaches_every_shard_that_holds_something(maker):
    assert changed(maker, lambda maker: maker.about.update(rendered=True)) >= {ANN, BOB}


def test_a_reference_that_looks_like_one_of_another_shard_reaches_that_shard(maker):
    other = next(name for name in ("Bob", "BOB", "bOb", "boB") if shard_of(opaque_id("acme", name), COUNT) != BOB)
    home = shard_of(opaque_id("acme", other), COUNT)
    assert changed(maker, lambda maker: maker.subject(other)) == {ANN, BOB, home}  # ann's: an image of it shows bob


def test_times_of_files_do_not_count(maker):
    root = maker.write()
    before = digests.read([str(root)], COUNT).digests
    for file in root.rglob("*"):
        os.utime(file, ns=(1, 1))
    assert digests.read([str(root)], COUNT).digests == before


@given(st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=8), st.integers(2, 256))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10, deadline=None)
def test_a_new_subject_changes_their_own_shard_alone(maker, name, count):
    tables = {table: [dict(row) for row in rows] for table, rows in maker.tables.items()}
    files = dict(maker.files)
    before = digests.read([str(maker.write())], count).digests
    try:
        if name not in ("ann", "bob"):
            maker.subject(name)
            maker.image("IMG_9", name)
        after = digests.read([str(maker.write())], count).digests
    finally:
        maker.tables, maker.files = tables, files
    home = {shard_of(opaque_id("acme", normal(name)), count)} if name not in ("ann", "bob") else set()
    assert {shard for shard in before if before[shard] != after[shard]} == home


def test_shards_know_whom_they_show(maker):
    shown = digests.subjects(digests.read([str(maker.write())], COUNT), COUNT)
    assert shown[ANN] == {opaque_id("acme", "ann"), opaque_id("acme", "bob")}
    assert shown[BOB] == {opaque_id("acme", "bob")}


def test_order_of_deliveries_does_not_count(maker, tmp_path):
    first = str(maker.write())
    maker.root, maker.about["delivery"] = tmp_path / "second", "2026-04"
    maker.root.mkdir()
    second = str(maker.write())
    assert digests.read([first, second], 8) == digests.read([second, first], 8)


@pytest.fixture
def second(tmp_path):
    """Another delivery of the vendor that isn't written yet: nothing but an annotator."""
    made = Maker(tmp_path / "second")
    made.about["delivery"] = "2026-04"
    made.annotator("a9")
    return made


def folders(*makers):
    return digests.read([str(one.write()) for one in makers], COUNT).folders


def test_a_new_delivery_is_read_by_the_shards_that_it_is_for(maker, second):
    before = folders(maker)
    assert before == {at: [str(maker.root)] for at in names(COUNT)}
    second.subject("cleo")
    second.image("IMG_9", "cleo")
    home = shard_of(opaque_id("acme", "cleo"), COUNT)
    after = folders(maker, second)
    assert home not in (ANN, BOB) and {shard for shard in before if after[shard] != before[shard]} == {home}
    assert after[home] == [str(second.root)]


def test_what_is_wrong_as_a_whole_is_read_by_every_shard(maker, second):
    both = [str(maker.root), str(second.root)]
    assert all(str(second.root) in roots for roots in folders(maker, second).values())  # it holds no image
    second.subject("cleo")
    second.image("IMG_9", "cleo")
    second.about["delivery"] = maker.about["delivery"]
    assert {tuple(sorted(roots)) for roots in folders(maker, second).values()} == {tuple(sorted(both))}
    second.about["delivery"] = "2026-04"
    second.row("people.csv", image="IMG_9")["age"] = ""
    second.tables["people.csv"].append(dict(second.row("people.csv", image="IMG_9")))
    (second.write() / "images.csv").write_bytes(b"image\n")
    told = digests.read(both, COUNT).folders
    assert all(str(second.root) in roots for roots in told.values())


@pytest.mark.parametrize(("name", "annotator"), [("cleo", "a8"), ("Bob", "a8"), ("bob", "A1"), ("\uff42ob", "\uff411")])
def test_a_shard_of_its_own_folders_is_that_of_all(maker, second, tmp_path, name, annotator):
    second.subject(name)
    second.image("IMG_9", name)
    second.annotator(annotator)
    both = [maker.write(), second.write()]
    told = digests.read(map(str, both), 4).folders
    for at in names(4):
        given = {"shard": at, "shards": 4, "max_pixels": 1_000_000}
        every = intake.run(both, SCHEMA, tmp_path / "every.tar", **given)
        own = intake.run(list(map(Path, told[at])), SCHEMA, tmp_path / "own.tar", **given)
        for one, other in zip(own, every, strict=True):
            pd.testing.assert_frame_equal(one, other)
        assert (tmp_path / "own.tar").read_bytes() == (tmp_path / "every.tar").read_bytes()


def test_folders_that_are_no_delivery_are_all_named(tmp_path):
    with pytest.raises(AccordError) as caught:
        digests.read([str(tmp_path / "gone"), str(tmp_path)], 4)
    assert [problem.what for problem in caught.value.problems] == [
        "the delivery is not a folder",
        "the file does not exist",
    ]
    assert "correct intake.deliveries in the config" in str(caught.value)


def test_broken_tables_are_left_to_the_step(maker):
    root = maker.write()
    (root / "people.csv").write_bytes(b"\xff\xff")
    assert set(digests.read([str(root)], 2).digests) == {"00", "01"}


def test_reading_is_light():
    code = "import sys; import accord.intake.delivered.digests, accord.consent.deciding.events; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pandas", "pandera", "numpy", "PIL", "pyarrow", "torch", "jsonschema"} & set(loaded)


def test_the_last_days_of_forms_are_told_where_their_images_are(maker):
    maker.row("forms.csv", form="c-bob").update(expires_on="2026-11-10")
    maker.row("forms.csv", form="r-ann").update(expires_on="soon")
    told = digests.read([str(maker.write())], COUNT)
    bob, shown = opaque_id("acme", "bob"), digests.subjects(told, COUNT)
    for shard, ends in told.ends.items():
        assert ends == ({"2026-11-10"} if bob in shown[shard] else frozenset())
