"""Verdicts follow from findings as people and policies settled them."""

import pytest

from accord.audit.evidence import membership
from accord.audit.targets.places import Places
from accord.checks.tables.findings import Findings, Verdicts
from accord.engine import table


@pytest.fixture
def told(tmp_path, monkeypatch):
    """What the audit says of verdicts, given a finding on an image, what became of it, and the image's verdict."""
    monkeypatch.chdir(tmp_path)

    def tell(found: str, settled: str, verdict: str) -> str:
        for name, row in {"web": found, "settled": settled}.items():
            path = tmp_path / f"results/checks/00/{name}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = [("a", "web_match", None, None, row, "")] if row else []
            table.write(table.rows(rows, Findings), Findings, path)
        final = tmp_path / "results/release/verdicts.parquet"
        final.parent.mkdir(parents=True, exist_ok=True)
        check = "" if verdict == "pass" else "web_match"
        table.write(table.rows([("a", "s", verdict, "checks", check, "")], Verdicts), Verdicts, final)
        ((only,),) = [[check for check in membership._verdicts(Places()) if check.name == "verdicts"]]
        return only.verdict

    return tell


@pytest.mark.parametrize(
    ("found", "settled", "verdict", "wanted"),
    [
        ("review", "pass", "pass", "pass"),
        ("review", "review", "review", "pass"),
        ("review", "fail", "fail", "pass"),
        ("info", "fail", "fail", "pass"),
        ("review", "review", "pass", "fail"),
        ("review", "fail", "pass", "fail"),
        ("review", "pass", "fail", "fail"),
        ("review", "", "pass", "fail"),
        ("fail", "pass", "pass", "fail"),
    ],
)
def test_a_verdict_follows_from_what_became_of_a_finding(told, found, settled, verdict, wanted):
    assert told(found, settled, verdict) == wanted
