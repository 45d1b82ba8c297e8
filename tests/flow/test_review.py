"""Decisions are an input of the flow: without any, items wait; one reruns its shard and the gathers, and counts; a run
that finds all decisions made equals one in which they were made one after the other."""

import csv
import shutil
import threading
import time

import pandas as pd
import pytest
import yaml

from accord import shards
from accord.engine import provenance, table
from accord.imaging.decode import decode
from accord.imaging.fingerprint import fingerprint
from accord.report.reading.waiting import Waiting, waiting
from accord.review.database import accounts, store, work
from accord.review.tables import Items
from house import DEMO, ROOT, House, part_of_demo, rows_of

pytestmark = pytest.mark.slow

SHARDS = 2
TARGET = "results/release/waterfall.parquet"
ON_THE_WEB, PAINTED = "IMG_000007", "IMG_000005"
"""An image of the third subject, and one of the second with a bystander: both subjects live in one shard."""

QUEUES = ("logos", "personal_data", "duplicates", "web", "safety", "patterns")
REVIEWER = "somebody-who-reviews"
DELIVERY = ROOT / DEMO / "delivery"
ROWS = {row["image"]: row for row in rows_of(DELIVERY / "images.csv")}
NAME = yaml.safe_load((DELIVERY / "delivery.yaml").read_text())
SHARD = shards.shard_of(shards.opaque_id(NAME["vendor"], ROWS[PAINTED]["subject"]), SHARDS)


def image_of(reference: str) -> str:
    return shards.opaque_id(NAME["vendor"], NAME["delivery"], reference)


def read(house: House, pattern: str) -> pd.DataFrame:
    return pd.concat(pd.read_parquet(path) for path in sorted((house.folder / "results").glob(pattern)))


def verdicts(house: House, reference: str) -> set[tuple[str, str]]:
    """The verdicts, and the checks that stopped them, on all images of the subject of an image."""
    subject = shards.opaque_id(NAME["vendor"], ROWS[reference]["subject"])
    final = read(house, "release/verdicts.parquet")
    theirs = final[final["subject"] == subject]
    return set(zip(theirs["verdict"], theirs["check"], strict=True))


def decide(house: House, queue: str, reference: str, decision: str) -> None:
    """Ask people about all items that the results have, and say what one of them says about an image."""
    with store.opened(house.folder / "vault") as db:
        if not accounts.reviewers(db):
            accounts.add(db, REVIEWER, accounts.REVIEWER, "correct horse battery")
        for pattern in ("checks/items.parquet", "privacy/*/items.parquet"):
            work.add_items(db, table.read(sorted((house.folder / "results").glob(pattern)), Items))
        work.assign(db, queue, [REVIEWER])
        asked = "SELECT item FROM item WHERE queue = ? AND image = ? AND state = 'open' AND gone = 0"
        ((item,),) = db.execute(asked, (queue, image_of(reference))).fetchall()
        work.vote(db, REVIEWER, item, decision)


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A house in which few subjects ran, one of them on the web, all queues held, and nobody decided anything."""
    house = House(tmp_path_factory.mktemp("held"))
    part_of_demo(house.folder / "delivery", 3)
    picture = fingerprint(decode((DELIVERY / ROWS[ON_THE_WEB]["file"]).read_bytes()))
    with (house.folder / "web.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["pdq"], [picture.pdq]])
    house.configure(
        shards=SHARDS,
        intake={"deliveries": ["delivery"]},
        checks={
            "web_list": "web.csv",
            "max_nudity": 1.0,
            "policies": dict.fromkeys(QUEUES, "hold"),
            "sample": {"subjects": 0, "images": 0},
        },
        privacy={"steps": 5, "review": "all", "policies": {"inpainting": "hold"}},
    )
    house.run(TARGET)
    return house


@pytest.fixture(scope="module")
def decided(held, tmp_path_factory):
    """A copy in which one was dismissed and one upheld, and what was planned then; it ran."""
    house = House.__new__(House)
    house.folder = tmp_path_factory.mktemp("decided") / "house"
    shutil.copytree(held.folder, house.folder, symlinks=True)
    decide(house, "web", ON_THE_WEB, "dismiss")
    decide(house, "inpainting", PAINTED, "uphold")
    planned = house.planned(TARGET)
    house.run(TARGET)
    return house, planned


def test_without_decisions_items_wait_and_nothing_of_reviews_is_made(held):
    assert not (held.folder / "vault/review").exists()
    painted = len(read(held, "privacy/*/edits.parquet"))
    assert painted > 1
    assert {Waiting("inpainting", painted, painted, "hold"), Waiting("web", 1, 1, "hold")} <= set(
        waiting(held.folder / "results")
    )
    assert verdicts(held, ON_THE_WEB) == {("review", "web_match")}
    assert ("review", "inpainting") in verdicts(held, PAINTED)
    labels = read(held, "release/waterfall.parquet").set_index("check")["label"]
    assert labels["web_match"].endswith("(3 awaiting review)")
    assert held.planned(TARGET) == {}


def test_a_decision_reruns_its_shard_and_the_gathers_alone(decided):
    _, planned = decided
    assert planned["checks_settle"] == planned["privacy_paint"] == {SHARD}
    assert {rule: ran for rule, ran in planned.items() if not ran <= {SHARD, ""}} == {}
    assert not {"intake_shard", "consent_apply", "checks_look"} & set(planned)


def test_an_image_that_is_dismissed_passes_with_all_of_its_subject(decided):
    house, _ = decided
    assert verdicts(house, ON_THE_WEB) == {("pass", "")}
    assert {Waiting("web", 1, 0, "hold")} <= set(waiting(house.folder / "results"))


def test_an_upheld_region_is_painted_again_and_waits_again(held, decided):
    house, _ = decided
    (before, after), image = (read(one, "privacy/*/edits.parquet") for one in (held, house)), image_of(PAINTED)
    own, others = after["image"] == image, before["image"] != image
    assert set(after.loc[own, "seed"]).isdisjoint(before.loc[~others, "seed"])
    assert after.loc[~own].reset_index(drop=True).equals(before.loc[others].reset_index(drop=True))
    pictures = [read(one, "privacy/*/pictures.parquet").set_index("image")["sha256"] for one in (held, house)]
    assert set(pictures[0].index[pictures[0] != pictures[1]]) == {image}
    assert ("review", "inpainting") in verdicts(house, PAINTED)
    asked = [read(one, "privacy/*/items.parquet").set_index("image")["item"] for one in (held, house)]
    assert asked[0][image] != asked[1][image]


def test_results_tell_nothing_of_who_decided_and_when(decided):
    house, _ = decided
    for path in sorted((house.folder / "results").glob(f"*/{SHARD}/decisions.parquet")):
        assert provenance.of(path)["params"]["vault"] == "vault"
        assert REVIEWER.encode() not in path.read_bytes()
        assert len(pd.read_parquet(path)) == 1
    assert (house.folder / "vault/review/review.sqlite").stat().st_mode & 0o077 == 0


def test_a_run_that_finds_the_decisions_made_is_the_same(decided):
    house, _ = decided
    rooms = ("results/checks", "results/privacy")
    before = house.bytes_of(*rooms)
    first = [f"results/checks/{SHARD}/{name}.parquet" for name in ("items", "decisions", "regions")]
    for path in first:
        (house.folder / path).unlink()
    house.run("results/checks/verdicts.parquet", f"results/privacy/{SHARD}/settled.parquet", "--forcerun", *first)
    assert house.bytes_of(*rooms) == before


@pytest.mark.parametrize("moment", ["locked", "settling", "painting"])
def test_a_vote_while_a_run_goes_on_counts_once_and_leaves_nothing_half_decided(held, decided, tmp_path, moment):
    house = held.copied(tmp_path / "house")
    log = {"settling": f"logs/checks/settle/{SHARD}.log", "painting": f"logs/privacy/paint/{SHARD}.log"}.get(moment)
    for path in (house.folder / "logs").rglob("*.log"):
        path.unlink()
    run = threading.Thread(target=house.run, args=(TARGET, "--forcerun", "checks_settle"))
    run.start()
    started = house.folder / (log or ".snakemake/locks")
    while run.is_alive() and not started.exists():
        time.sleep(0.02)
    assert run.is_alive()
    decide(house, "web", ON_THE_WEB, "dismiss")
    decide(house, "inpainting", PAINTED, "uphold")
    run.join()
    # Each image is as it was before the votes, or as it is after them.
    assert verdicts(house, ON_THE_WEB) in ({("review", "web_match")}, {("pass", "")})
    house.run(TARGET)
    assert verdicts(house, ON_THE_WEB) == {("pass", "")}
    final = "results/release/verdicts.parquet"
    assert pd.read_parquet(house.folder / final).equals(pd.read_parquet(decided[0].folder / final))
    assert house.planned(TARGET) == {}
