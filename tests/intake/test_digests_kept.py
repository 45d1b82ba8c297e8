"""What was read of deliveries before is taken over, and is what a reading from nothing gives."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intake_cases import Maker, filled

from accord.errors import Collector
from accord.intake.delivered import columns, delivery, digests, parts, shares
from accord.shards import names, opaque_id

COUNT = 16
PEOPLE = ("ann", "bob", "Bob", "zoe", "zoë", "z0e", "ﬁnn", "finn ", "b,o\n", '"')
"""Some look like others, and some are written otherwise than they are read."""


@pytest.fixture
def memory(tmp_path):
    return tmp_path / "memory.json"


def read(makers, memory=None):
    return digests.read([str(maker.root) for maker in makers], COUNT, memory)


def counted(monkeypatch):
    """The folders of which all tables are read from now on."""
    found, real = [], parts.tables
    monkeypatch.setattr(parts, "tables", lambda root, problems: found.append(root.name) or real(root, problems))
    return found


def test_a_delivery_is_read_once_and_again_when_its_tables_change(maker, memory, tmp_path, monkeypatch):
    other = filled(tmp_path / "other")
    other.about["delivery"] = "2026-05"
    makers = [maker, other]
    for one in makers:
        one.write()
    folders = counted(monkeypatch)
    before = read(makers, memory)
    assert sorted(folders) == ["delivery", "other"]
    assert read(makers, memory) == before
    assert len(folders) == 2
    other.row("people.csv", image="IMG_3").update(age="36")
    other.write()
    after = read(makers, memory)
    assert folders[2:] == ["other"]
    assert after.digests != before.digests


def test_a_change_that_leaves_size_and_times_is_noticed(maker, memory):
    root = maker.write()
    before = read([maker], memory)
    times = (root / "people.csv").stat()
    (root / "people.csv").write_bytes((root / "people.csv").read_bytes().replace(b",35,", b",36,"))
    after = (root / "people.csv").stat()
    assert times.st_size == after.st_size
    os.utime(root / "people.csv", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert read([maker], memory).digests != before.digests


def test_files_that_come_later_are_noticed(maker, memory):
    root = maker.write()
    picture = root / "images/IMG_3.jpg"
    data = picture.read_bytes()
    picture.unlink()
    before = read([maker], memory)
    picture.write_bytes(data)
    after = read([maker], memory)
    assert after.digests != before.digests
    assert after == read([maker])


def test_a_delivery_that_lacks_a_file_is_read_again_when_files_come_or_go(maker, memory, monkeypatch):
    root = maker.write()
    (root / "images/IMG_3.jpg").unlink()
    folders = counted(monkeypatch)
    read([maker], memory)
    os.utime(root / "images/IMG_1.jpg", ns=(1, 1))
    read([maker], memory)
    assert folders == ["delivery"]
    with (root / "images/IMG_1.jpg").open("ab") as file:
        file.write(b"the rest")
    read([maker], memory)
    assert folders == ["delivery"] * 2


def test_a_copy_elsewhere_is_known(maker, memory, tmp_path, monkeypatch):
    maker.write()
    before = read([maker], memory)
    shutil.copytree(maker.root, tmp_path / "copy")
    folders = counted(monkeypatch)
    assert digests.read([str(tmp_path / "copy")], COUNT, memory).digests == before.digests
    assert folders == []


def test_the_memory_names_nobody_and_no_folder(maker, memory, tmp_path):
    maker.write()
    people = digests.subjects(read([maker], memory), COUNT)
    text = memory.read_text()
    told = {"ann", "bob", "IMG_1", str(tmp_path), *frozenset().union(*people.values())}
    assert [one for one in told if one in text] == []


def test_a_shard_that_a_delivery_holds_nothing_of_stays_as_it_is(maker, memory, tmp_path):
    maker.write()
    before = read([maker], memory).digests
    other = Maker(tmp_path / "other")
    other.about["delivery"] = "2026-05"
    other.annotator("a9")
    other.write()
    assert read([maker, other], memory).digests == before
    other.annotator("\uff418")  # a full-width letter: every shard tells how it is spelled
    other.write()
    after = read([maker, other], memory).digests
    assert {shard for shard in before if after[shard] != before[shard]} == set(names(COUNT))


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(
            ["subject", "image", "video", "reverse", "drop", "expire", "break", "come", "vendor", "annotator"]
        ),
        st.integers(0, 2),
        st.sampled_from(PEOPLE),
        st.sampled_from(sorted(delivery.SHEETS)),
    ),
    min_size=1,
    max_size=5,
)


def change(maker: Maker, what: str, who: str, table: str) -> None:
    """Change a delivery, and write it."""
    rows, number = maker.tables.get(table, []), len(maker.tables["images.csv"])
    if what == "subject" and all(row["subject"] != who for row in maker.tables["subjects.csv"]):
        maker.subject(who)
    elif what == "image":
        maker.image(f"IMG_{number}{who}", who, "bob")
    elif what == "video":
        maker.video(f"VID_{len(maker.tables['people.csv'])}", who, "bob")
    elif what == "reverse":
        rows.reverse()
    elif what == "drop" and len(rows) > 1:
        rows.pop()
    elif what == "expire":
        maker.tables["forms.csv"][0]["expires_on"] = f"2026-11-{number:02d}"
    elif what == "vendor":
        maker.about["vendor"] = "other" if maker.about["vendor"] == "acme" else "acme"
    elif what == "annotator":
        maker.annotator(who)
    elif what == "come":
        maker.image(f"LATE_{number}", who)
        late = maker.files.pop(f"images/LATE_{number}.jpg")
        maker.write()
        maker.files[f"images/LATE_{number}.jpg"] = late
        return
    maker.write()
    if what == "break":
        with (maker.root / table).open("ab") as file:
            file.write(b'\n"open')


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, data=st.data())
def test_what_was_kept_is_what_a_reading_from_nothing_gives(changes, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("deliveries")
    makers = [filled(folder / f"d{number}") for number in range(3)]
    for number, maker in enumerate(makers):
        maker.about["delivery"] = f"2026-0{number}"
        maker.write()
    for what, which, who, table in changes:
        change(makers[which], what, who, table)
        now = data.draw(st.permutations(makers))[: data.draw(st.integers(1, 3))]
        kept, anew = read(now, folder / "memory.json"), read(now)
        assert kept == anew
        assert digests.subjects(kept, COUNT) == shown(now)
        for one in anew.of:
            assert not one.part.sound or columns.references(one.root, sound=True) == columns.references(
                one.root, sound=False
            )


def shown(makers) -> dict[str, frozenset[str]]:
    """Shard -> the ids of whom its share of all tables shows."""
    found = defaultdict(set)
    for maker in makers:
        vendor = maker.about["vendor"]
        given = parts.tables(Path(maker.root), Collector())
        for shard, share in shares.split(vendor, given, COUNT).items():
            found[shard] |= {
                opaque_id(vendor, row["subject"])
                for name in ("images.csv", "videos.csv", "people.csv")
                for row in share[name]
            }
    return {shard: frozenset(found[shard]) for shard in names(COUNT)}
