"""The difference of two versions: counts that are known beforehand, and no names."""

import json

import pytest

from accord.errors import AccordError
from accord.release.command import main
from accord.release.comparing.diff import diff
from accord.release.format import fhibe

OTHERS = ("data/raw/", "data/processed/", "data/annotator_metadata/", "manifest.jsonl", "leaves.jsonl", "release.")
"""What is no document: pictures, annotations, tables that speak of people, the seal."""


@pytest.fixture(scope="module")
def made(tmp_path_factory, shards, tiny):
    """1.0.0: img-1 (two people), img-2; 2.0.0: img-1, img-3, and img-2 is gone."""
    house = tiny.House(tmp_path_factory.mktemp("diff"), shards)
    house.publish({name: tiny.IMAGES[name] for name in ("img-1", "img-2")})
    house.publish({name: tiny.IMAGES[name] for name in ("img-1", "img-3")})
    return house


def test_pictures_are_compared_by_what_they_show(made):
    counts = diff(made.releases / "1.0.0", made.releases / "2.0.0")["counts"]
    # img-1 is kept, downsampled and in full; img-2, which is small, has one file; img-3 has two
    assert counts["image"] == {"before": 3, "after": 4, "kept": 2, "removed": 1, "added": 2, "changed": None}
    assert (counts["row"]["before"], counts["row"]["after"], counts["row"]["kept"]) == (7, 7, None)
    old, new = (
        {name: data for name, data in made.bytes_of(v).items() if not name.startswith(OTHERS)}
        for v in ("1.0.0", "2.0.0")
    )
    all_, kept = len(old), sum(old[name] == new[name] for name in old)
    same = {"before": all_, "after": all_, "removed": 0, "added": 0}
    assert counts["document"] == same | {"kept": kept, "changed": all_ - kept}
    assert old.keys() == new.keys() and {"CHANGES.md", "terms.txt", "workflow/Snakefile"} < old.keys()
    assert "whole images" not in counts


def test_with_the_vault_images_are_compared_by_internal_ids(made):
    counts = diff(made.releases / "1.0.0", made.releases / "2.0.0", made.vault)["counts"]
    assert counts["whole images"] == {"before": 2, "after": 2, "kept": 1, "removed": 1, "added": 1, "changed": 0}


def test_a_version_is_as_itself(made):
    counts = diff(made.releases / "1.0.0", made.releases / "1.0.0", made.vault)["counts"]
    assert {n for row in counts.values() for c in ("removed", "added", "changed") if (n := row.get(c))} == set()


def test_nobody_is_named(made, tiny, capsys):
    folders = [str(made.releases / version) for version in ("1.0.0", "2.0.0")]
    assert main(["diff", *folders, "--vault", str(made.vault)]) == 0
    assert main(["diff", *folders, "--vault", str(made.vault), "--json"]) == 0
    out = capsys.readouterr().out
    ids = [p.name for folder in folders for p in (made.releases / folder / fhibe.RAW).rglob("*") if p.is_dir()]
    assert len(ids) > 6
    assert [word for word in [*ids, *tiny.IMAGES, "sub-1", "sub-2", "sub-3"] if word in out] == []
    assert json.loads(out[out.index("{") :])["before"] == "1.0.0"


def test_what_is_no_release_is_told(made, tmp_path):
    with pytest.raises(AccordError, match="has no leaves"):
        diff(made.releases / "1.0.0", tmp_path)
    (tmp_path / "leaves.jsonl").write_text("{}\n")
    with pytest.raises(AccordError, match="line 1: is not a valid leaf"):
        diff(tmp_path, made.releases / "1.0.0")
    with pytest.raises(AccordError, match=r"version 1.0.0: is not in the vault"):
        diff(made.releases / "1.0.0", made.releases / "2.0.0", tmp_path)
