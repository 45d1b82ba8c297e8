"""What lies where it must not, and what an audit of a single file does again: on a flow of two tiny steps."""

import base64
import json
import os
import shutil
from pathlib import Path

import pytest
from pandera.typing import DataFrame

from accord.audit import command
from accord.audit.evidence import lineage
from accord.audit.records import attest, keys, receipts, reproduce, stray_files, stray_records
from accord.audit.targets import release
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, NOT_APPLICABLE, PASS
from accord.engine import provenance, step
from accord.engine.parameter_types import Files, Typed
from accord.engine.table import Table, rows
from accord.files import keep_private
from accord.release.seal import log
from accord.sealing import signing

TABLE, SUMMARY = Path("results/a/n.parquet"), Path("results/a/total.json")


class Numbers(Table):
    value: int


def first(*, start: int) -> DataFrame[Numbers]:
    """Numbers."""
    return rows([{"value": start}, {"value": start + 1}], Numbers)


def several() -> Files:
    """Two files of no numbers."""
    return Files({name: Typed(rows([], Numbers), Numbers) for name in ("x.parquet", "y.parquet")})


def second(numbers: DataFrame[Numbers]) -> dict:
    """A summary."""
    return {"total": int(numbers["value"].sum())}


@pytest.fixture(autouse=True)
def flow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    reproduce._of_files.cache_clear()
    monkeypatch.setattr(step, "load", lambda name: {"a.first": first, "a.second": second, "a.several": several}[name])
    monkeypatch.setattr(reproduce, "is_ours", lambda record: True)
    step.run_step("a.first", ["--start", "7", "--out", str(TABLE)])
    step.run_step("a.second", ["--numbers", str(TABLE), "--out", str(SUMMARY)])
    signing.signing_key(Path("vault"))
    return Path("vault")


def failed(checks):
    return [(check.where, check.what) for check in checks if check.verdict == FAIL]


def exchanged():
    """Another total, and another number behind it, with every record of a sha256 carried along."""
    numbers = rows([{"value": 1}, {"value": 2}], Numbers)
    step.write(numbers, DataFrame[Numbers], {"out": TABLE}, provenance.of(TABLE))
    TABLE.with_name(f"{TABLE.name}{step.PARTIAL}").replace(TABLE)
    told = provenance.of(SUMMARY) | {"inputs": {TABLE.as_posix(): provenance.sha256(TABLE)}}
    SUMMARY.write_text(json.dumps({"total": 3, "provenance": told}))


def test_a_file_is_made_again_with_all_that_it_was_made_from(capsys):
    assert command.main([str(SUMMARY), "--again", "--jobs", "1"]) == 0
    exchanged()
    assert command.main([str(SUMMARY)]) == 0
    assert command.main([str(SUMMARY), "--again", "--jobs", "1"]) == 1
    told = capsys.readouterr()
    assert "FAIL  reproduced: results/a/n.parquet: differs from what a.first makes from its inputs" in told.out
    assert "DIFFERS: results/a/n.parquet differs from what a.first makes from its inputs" in told.err


def test_rows_are_made_again_too(capsys):
    exchanged()
    assert command.main([str(TABLE), "--row", "value=1", "--again", "--jobs", "1"]) == 1
    assert "reproduced: results/a/n.parquet" in capsys.readouterr().out


def test_a_difference_is_told_before_the_rest_is_made(monkeypatch):
    nodes = list(lineage.trace(SUMMARY).walk())
    real, told = reproduce._wrong, []

    def seen(record, paths, places):
        told.append(f"makes {json.loads(record)['step']}")
        return paths if "a.first" in record and "a.second" not in record else real(record, paths, places)

    monkeypatch.setattr(reproduce, "_wrong", seen)
    reproduce.checks(nodes, Places(again=True), told.append)
    assert len(told) == 5
    assert [line for line in told if line.startswith("DIFFERS")] == told[told.index("makes a.first") + 1 :][:1]
    assert told[-1] == "rerun: 2 of 2 step runs, 1 differences so far"


def test_steps_are_made_again_side_by_side(monkeypatch):
    told = []
    nodes = list(lineage.trace(SUMMARY).walk())
    checks = reproduce.checks(nodes, Places(again=True, jobs=2), told.append)
    # Other processes know nothing of these steps: they say so, each of its own.
    assert [check.what for check in checks if check.verdict != PASS] == ["not rerun: a.first, a.second"]
    assert told == [f"rerun: {number} of 2 step runs, 0 differences so far" for number in (1, 2)]


def copies() -> list[tuple[str, str]]:
    results = Path("results")
    return failed(stray_records.checks(stray_files.files(results), results))


@pytest.mark.parametrize("name", ["results/a/n2.parquet", "results/a/01/n.parquet", "results/a/total2.json"])
def test_a_copy_with_a_genuine_record_is_told(name):
    assert copies() == []
    genuine = TABLE if name.endswith("parquet") else SUMMARY
    Path(name).parent.mkdir(exist_ok=True)
    shutil.copy(genuine, name)
    ((where, what),) = copies()
    assert set(where.split(" and ")) == {genuine.as_posix(), name} and "carry the record of 1 output(s)" in what


def test_files_of_one_step_may_be_the_same_and_a_copy_of_one_is_told_though_it_was_changed():
    files = [TABLE.with_name(name) for name in ("x.parquet", "y.parquet")]
    step.run_step("a.several", ["--out", *map(str, files)])
    assert copies() == []
    nodes = [node for path in files for node in lineage.trace(path).walk()]
    (same,) = reproduce.checks(nodes, Places(again=True))
    assert same.verdict == PASS and same.what == "2 outputs were reproduced identically"
    other, record = TABLE.with_name("z.parquet"), provenance.of(files[0])
    step.write(rows([{"value": 1}], Numbers), DataFrame[Numbers], {"out": other}, record)
    other.with_name(f"{other.name}{step.PARTIAL}").replace(other)
    ((where, what),) = copies()
    assert set(where.split(" and ")) == {files[0].as_posix(), other.as_posix()}
    assert what == "carry the record of 1 output(s) of a.several"


@pytest.mark.parametrize("place", ["notes.txt", "vault/keys/old.pem", "vault/log/k", "releases/1.0.0/k", "results/a/k"])
@pytest.mark.parametrize("form", ["pem", "raw", "hex", "base64"])
def test_a_copy_of_a_private_key_is_told(flow, place, form):
    assert failed(keys.checks(Places())) == []
    data = (flow / "keys/release.pem").read_bytes()
    raw = signing.read_private(data).private_bytes_raw()
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    forms = {"pem": data, "raw": raw, "hex": raw.hex().encode(), "base64": b"key: " + base64.b64encode(raw)}
    Path(place).write_bytes(forms[form])
    assert (place, "is a copy of the vault's private key release.pem") in failed(keys.checks(Places()))


def test_files_that_others_may_change_and_other_names_of_files_are_told():
    released = Path("releases/1.0.0/data/x.png")
    released.parent.mkdir(parents=True)
    released.write_bytes(b"x")
    released.chmod(0o444)
    assert failed(stray_files.checks(Places(), ["1.0.0"])) == []
    for mode, path in ((0o777, released), (0o646, released), (0o4444, released), (0o777, released.parent)):
        path.chmod(mode)
        told = [(path.as_posix(), f"can be changed by others, or executed (mode {mode:o})")]
        assert failed(stray_files.checks(Places(), ["1.0.0"])) == told
        path.chmod(0o755 if path.is_dir() else 0o444)
    for number, path in enumerate((released, TABLE, Path("vault/keys/release.pem"))):
        os.link(path, f"outside{number}")
        told = [(path.as_posix(), "has an unknown second hard link")]
        assert failed(stray_files.checks(Places(), ["1.0.0"])) == told
        Path(f"outside{number}").unlink()


def test_versions_share_a_picture_and_any_other_name_of_it_is_told():
    names = [Path(f"releases/{version}/data/x.png") for version in ("1.0.0", "1.1.0", "2.0.0")]
    for number, path in enumerate(names):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x") if not number else os.link(names[0], path)
        path.chmod(0o444)
    versions = [path.parts[1] for path in names]
    assert failed(stray_files.checks(Places(), versions)) == []
    for other in (Path("outside"), Path("vault/x"), Path("results/a/x.parquet"), names[0].with_name("y.png")):
        os.link(names[0], other)
        told = [where for where, what in failed(stray_files.checks(Places(), versions)) if "hard link" in what]
        assert sorted(told) == sorted(path.as_posix() for path in (*names, other) if path != Path("outside"))
        other.unlink()


@pytest.mark.parametrize("name", ["line", "line.parquet"])
def test_a_pipe_is_told_and_not_read(name):
    os.mkfifo(f"results/{name}")
    assert (f"results/{name}", "is a pipe, a socket or a device") in failed(stray_files.checks(Places(), []))
    assert Path(f"results/{name}") not in stray_files.files(Path("results"))


def test_an_extended_attribute_of_a_released_file_is_told():
    released = Path("releases/1.0.0/x.png")
    released.parent.mkdir(parents=True)
    released.write_bytes(b"x")
    try:
        os.setxattr(released, "user.note", b"Jane Doe")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    released.chmod(0o444)
    told = [(released.as_posix(), "has extended attributes, which no signature covers")]
    assert failed(stray_files.checks(Places(), ["1.0.0"])) == told


def test_a_run_attests_what_it_published_and_what_was_added_but_not_what_changed(flow, capsys):
    def run():
        assert command.main(["--attest", "--if-due"]) == 0
        return sum(entry["body"]["kind"] == "attestation" for entry in receipts.read(flow).entries)

    assert run() == 0  # nothing was published
    log.append(flow, {"kind": "release", "version": "1.0.0", "root": "0"})
    assert (run(), run()) == (1, 1)
    shutil.copy(SUMMARY, "results/a/more.json")
    assert (run(), run()) == (2, 2)
    SUMMARY.write_text("{}")
    shutil.copy(TABLE, "results/a/more.parquet")
    assert run() == 2
    told = failed(attest.checks(Places(), receipts.read(flow)))
    assert (SUMMARY.as_posix(), "differs from what was attested") in told
    log.append(flow, {"kind": "release", "version": "2.0.0", "root": "1"})
    assert run() == 3 and failed(attest.checks(Places(), receipts.read(flow))) == []
    SUMMARY.write_text("{ }")
    log.append(flow, {"kind": "erasure", "case": "c", "receipt": "0"})  # its rebuild came before
    assert failed(attest.checks(Places(), receipts.read(flow))) == []
    assert run() == 4


def test_a_run_without_a_vault_attests_nothing(flow):
    shutil.rmtree(flow)
    assert command.main(["--attest", "--if-due"]) == 0 and not flow.exists()


def test_a_run_on_an_archive_has_nothing_that_must_be_signed(tmp_path):
    """It keeps in the vault what models learnt from, and votes. Whoever lost key or ledger of a release has more."""
    vault = tmp_path / "kept"
    keep_private(vault / "trained/small.json", b"{}")
    for name in ("review/review.sqlite", "log/review.json", "log/review.lock"):
        keep_private(vault / name, b"")
    at = Places(results=tmp_path / "results", releases=tmp_path / "releases", vault=vault)
    [told] = release.of_vault(at).checks
    assert (told.verdict, told.what) == (NOT_APPLICABLE, "nothing was published or signed: this run has no deliveries")
    assert at.need_vault is False and release.of_vault(at._replace(noted=("0" * 64,))).checks[0].verdict == FAIL
    for left in ("releases/1.0.0/index.json", "consent.sqlite", "keys/salt", "log/0.json"):
        keep_private(vault / left, b"{}")
        assert at.need_vault and FAIL in {check.verdict for check in release.of_vault(at).checks}
        (vault / left).unlink()
    (tmp_path / "results/consent/00").mkdir(parents=True)
    assert at.need_vault and FAIL in {check.verdict for check in release.of_vault(at).checks}
