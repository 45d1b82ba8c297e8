"""Nobody whom the consent room stopped is known by footers of tables, or left in copies of former outputs."""

from pathlib import Path

import pytest

from accord.audit.evidence import membership
from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, PASS
from accord.engine import table


class Seen(table.Table):
    image: str


class Counts(table.Table):
    count: int


def write(path: str, images: list[str], known: list[str] | None) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    digests = None if known is None else dict.fromkeys(known, "0" * 32)
    table.write(table.rows([(image,) for image in images], Seen), Seen, Path(path), None, digests)


@pytest.mark.parametrize(("path", "images", "known", "wanted"), [
    ("results/checks/00/seen.parquet", ["a"], ["a"], PASS),
    ("results/checks/00/seen.parquet", [], ["a", "gone"], FAIL),
    ("results/privacy/00/edits.parquet", ["a"], ["gone"], FAIL),
    ("results/intake/00/images.parquet", [], ["gone"], PASS),
    (".snakemake/backups/results/checks/00/seen.parquet", ["a"], ["a"], PASS),
    (".snakemake/backups/results/checks/00/seen.parquet", [], ["gone"], FAIL),
    (".snakemake/backups/results/privacy/00/edits.parquet", ["gone"], None, FAIL),
    (".snakemake/backups/results/release/verdicts.parquet", ["gone"], None, PASS),
])  # fmt: skip
def test_footers_and_copies_know_nobody_else(tmp_path, monkeypatch, path, images, known, wanted):
    monkeypatch.chdir(tmp_path)
    write(path, images, known)
    (check,) = membership._kept(frozenset({"a"}), Places())
    assert check.verdict == wanted
    assert "gone" not in str(check)
    assert wanted == PASS or path in check.where


@pytest.mark.parametrize("footer", [b"[1", b'["gone"]', b"3"])
def test_a_footer_that_says_nothing_is_passed_over(tmp_path, footer):
    path = tmp_path / "seen.parquet"
    table.write(table.rows([("a",)], Seen), Seen, path, None, {"a": "0"})
    rows = table.pq.read_table(path).replace_schema_metadata({table.MADE_FROM: footer})
    table.save(rows, path)
    assert rows_of_images.kept(path) == frozenset()


def test_items_that_are_no_images_are_passed_over(tmp_path):
    path = tmp_path / "counts.parquet"
    table.write(table.rows([(1,)], Counts), Counts, path, None, {"a shard": "0"})
    assert rows_of_images.kept(path) == frozenset()
