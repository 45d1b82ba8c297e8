"""A person withdraws and is erased: the old version verifies without them, the next one lacks them, nothing is left."""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
import yaml
from small import SMALL

from accord import shards
from house import House, rows_of

pytestmark = pytest.mark.slow


class Erased(NamedTuple):
    """A house from which somebody was erased: their reference, their id, the id of another in a picture with them, the
    plan (made before), and what `erase run` printed."""

    house: House
    reference: str
    subject: str
    other: str
    plan: dict
    printed: str


@pytest.fixture(scope="module")
def erased(small_done, tmp_path_factory):
    house = small_done.copied(tmp_path_factory.mktemp("erased") / "house")
    folder = house.folder
    vendor, reference, other = chosen(house)
    assert house.accord("consent", "withdraw", "--vendor", vendor, "--subject", reference).returncode == 0
    house.accord("scan", "--vendor", vendor, "--subject", reference, "--keep-dossier", "vault/kept.npz")
    (folder / "vault/kept.npz").rename(folder.with_name("kept.npz"))  # or the erasure's own scan finds it
    config = ["--config", *house.command()[-3:]]
    (plan,) = json.loads(house.accord("erase", "plan", *config, "--json").stdout)
    done = house.accord("erase", "run", *config)
    assert done.returncode == 0, done.stdout + done.stderr
    subject, second = (shards.opaque_id(vendor, name) for name in (reference, other))
    return Erased(house, reference, subject, second, plan, done.stdout)


def chosen(house: House) -> tuple[str, str, str]:
    """Vendor, and the references of both people of a published picture: the first is the one who goes."""
    said = yaml.safe_load((house.folder / "delivery/delivery.yaml").read_text())
    verdicts = pd.read_parquet(house.folder / "results/release/verdicts.parquet").set_index("image")["verdict"]
    people = pd.DataFrame(rows_of(house.folder / "delivery/people.csv"))
    for name, rows in people.groupby("image"):
        image = shards.opaque_id(said["vendor"], said["delivery"], name)
        if len(rows) == 2 and verdicts.get(image) == "pass":
            first, second = rows.sort_values("is_primary", ascending=False)["subject"]
            return said["vendor"], first, second
    raise AssertionError("no picture of two people was published")


def test_the_case_is_closed_and_on_time(erased):
    status = erased.house.accord("erase", "status", "--config", *erased.house.command()[-3:], "--json")
    assert status.returncode == 0
    (case,) = json.loads(status.stdout)
    assert (case["stage"], case["overdue"]) == ("closed", False)
    assert erased.printed.splitlines()[-1] == f"case {case['case']}: closed"


def test_only_their_shard_and_the_gathers_were_planned_to_fall(erased):
    shard = shards.shard_of(erased.subject, SMALL["shards"])
    every = {f"{number:02}" for number in range(SMALL["shards"])}
    assert {folder for name in erased.plan["results"] for folder in Path(name).parts[:-1]} & every == {shard}
    assert erased.plan["releases"]["1.0.0"]["leaves"] > 0


def test_the_next_major_version_is_without_them(erased):
    results = erased.house.folder / "results"
    assert json.loads((results / "release/release.json").read_text())["version"] == "2.0.0"
    for name in ("intake/*/people", "intake/*/images", "intake/*/forms", "release/*/people", "release/verdicts"):
        for file in results.glob(f"{name}.parquet"):
            assert erased.subject not in set(pd.read_parquet(file)["subject"])


def test_the_other_of_two_people_stays(erased):
    delivery = erased.house.folder / "delivery"
    said = yaml.safe_load((delivery / "delivery.yaml").read_text())
    left = {shards.opaque_id(said["vendor"], row["subject"]) for row in rows_of(delivery / "subjects.csv")}
    assert erased.other in left
    assert erased.subject not in left


def test_both_versions_verify_the_old_one_with_tombstones(erased):
    for version, fallen in (("1.0.0", erased.plan["releases"]["1.0.0"]["leaves"]), ("2.0.0", 0)):
        done = erased.house.accord("release", "verify", f"releases/{version}", "--json")
        told = json.loads(done.stdout)
        assert (told["problems"], told["erased"]) == ([], fallen)


def test_a_scan_with_a_dossier_of_before_finds_nothing(erased):
    vendor = yaml.safe_load((erased.house.folder / "delivery/delivery.yaml").read_text())["vendor"]
    who = ["--vendor", vendor, "--subject", erased.reference, "--dossier", "../kept.npz"]
    where = ["vault", "logs", ".snakemake", "results/intake", "results/evaluate", "results/analyse", "results/report"]
    done = erased.house.accord("scan", *who, "--in", *where, "--json")
    assert json.loads(done.stdout)["findings"] == []


def test_the_receipt_verifies_and_the_ledger_holds(erased, tmp_path):
    (folder,) = [path for path in (erased.house.folder / "vault/erasures").iterdir() if path.is_dir()]
    out = tmp_path / "receipt.json"
    written = erased.house.accord("erase", "receipt", "--case", folder.name, "--out", str(out))
    assert written.returncode == 0, written.stderr
    key = erased.house.folder / "releases/2.0.0/release.pub"
    checked = erased.house.accord("erase", "receipt", "--verify", str(out), "--key", str(key))
    assert checked.returncode == 0, checked.stderr
    assert "the receipt is authentic" in checked.stdout
    assert erased.house.accord("consent", "verify").returncode == 0


def test_nothing_is_left_to_do(erased):
    start = subprocess.run(
        erased.house.command("--dry-run"),
        cwd=erased.house.folder, env=erased.house.environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert "Nothing to be done" in start.stdout + start.stderr
