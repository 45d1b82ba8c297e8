"""People label faces of a Rapid Test: their labels count in the next run, audits pass, and who withdraws is gone from
items, votes and labels."""

import sqlite3

import pandas as pd
import pytest
import yaml
from small import SMALL

from accord import shards
from accord.queues import IDENTITIES
from accord.review.database import accounts, store, work
from accord.review.drawn.outlines import Region
from house import House, part_of_demo, rows_of

pytestmark = pytest.mark.slow

RATERS = ("somebody-who-looks", "another-who-looks")
LABELS = "results/analyse/rapid/hand_labels.parquet"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory) -> House:
    """A house with a test of two services, in which two people said of each face whether it shows the query's person,
    as the annotations have it; the second can't tell of the first face of each query."""
    house = House(tmp_path_factory.mktemp("labelled") / "house")
    part_of_demo(house.folder / "delivery", 8)
    rapid = {"services": ["yunet_sface", "blazeface_sface_24"], "min_faces": 3, "hand": {"share": 1.0}}
    analyse = {**SMALL["analyse"], "rapid": {"min_positive": 2}, "min_subjects": 2}
    house.configure(
        **{**SMALL, "analyse": analyse, "shards": 1},
        intake={"deliveries": ["delivery"]},
        evaluate={"run": ["yunet"], "rapid": rapid},
    )
    house.run()
    shown = {row["image"]: row["subject"] for row in read(house, "evaluate/*/queries").to_dict("records")}
    with store.opened(house.folder / "vault") as db:
        for name in RATERS:
            accounts.add(db, name, accounts.REVIEWER, "correct horse battery")
        asked = read(house, "evaluate/identity_items")
        work.add_items(db, asked)
        work.assign(db, IDENTITIES, list(RATERS), votes=2)
        firsts = set(asked.groupby("subject")["item"].min())
        for rater in RATERS:
            while some := work.take_some(db, rater, IDENTITIES, "", 40):  # all faces of a query
                for one in some:
                    what = "same" if shown[one.image] == one.subject else "other"
                    is_unsure = rater == RATERS[1] and one.item in firsts
                    work.vote(db, rater, one.item, *(("dismiss",) if is_unsure else ("uphold", [Region(what, ())])))
    house.run()
    # Results are others than those that were attested when the release was published: labels came since.
    done = house.accord("audit", "--attest", "--config", *house.command()[-3:])
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return house


def read(house: House, name: str) -> pd.DataFrame:
    return pd.concat(pd.read_parquet(path) for path in sorted((house.folder / "results").glob(f"{name}.parquet")))


def test_labels_are_what_most_said(labelled):
    asked, labels = read(labelled, "evaluate/identity_items"), read(labelled, "analyse/rapid/hand_labels")
    shown = read(labelled, "evaluate/*/queries").set_index("image")["subject"]
    firsts = set(asked.groupby("subject")["item"].min())
    said = {row.image: -1 if row.item in firsts else int(shown[row.image] == row.subject) for row in asked.itertuples()}
    assert labels.set_index("face")["label"].to_dict() == said and {1, -1} <= set(said.values())
    assert set(read(labelled, "analyse/rapid/accuracy")["rule"]) == {"published", "strangers"}
    page = (labelled.folder / "results/report/rapid.html").read_text()
    assert "People looked at all common faces of queries drawn by lot" in page
    assert labelled.planned() == {}


@pytest.mark.parametrize("again", [[], ["--again"]])
def test_audits_pass(labelled, again):
    done = labelled.accord("audit", *again, "--config", *labelled.command()[-3:])
    failed = [line for line in done.stdout.splitlines() if "FAIL" in line]
    assert done.returncode == 0, failed


def test_who_withdraws_is_gone_from_items_votes_and_labels(labelled, tmp_path_factory):
    """Erased are the items and votes of the person's query, and of pictures that show the person in others."""
    house = labelled.copied(tmp_path_factory.mktemp("gone") / "house")
    said = yaml.safe_load((house.folder / "delivery/delivery.yaml").read_text())
    asked = read(house, "evaluate/identity_items")
    subjects = {shards.opaque_id(said["vendor"], row["subject"]): row["subject"]
                for row in rows_of(house.folder / "delivery/subjects.csv")}  # fmt: skip
    subject = sorted(set(asked["subject"]))[0]
    shown = read(house, "release/*/people")
    theirs = set(shown.loc[shown["subject"] == subject, "image"])
    gone = asked[(asked["subject"] == subject) | asked["image"].isin(theirs)]
    who = ["--vendor", said["vendor"], "--subject", subjects[subject]]
    assert house.accord("consent", "withdraw", *who).returncode == 0
    done = house.accord("erase", "run", "--config", *house.command()[-3:])
    assert done.returncode == 0, done.stdout + done.stderr
    left, labels = read(house, "evaluate/identity_items"), read(house, "analyse/rapid/hand_labels")
    assert len(left) and not set(gone["item"]) & set(left["item"]) and not theirs & set(labels["face"])
    vault = sqlite3.connect(next((house.folder / "vault/review").glob("*.sqlite")))
    kept = {row[0] for row in vault.execute("SELECT item FROM item")}
    assert kept and not set(gone["item"]) & kept
    for file in (house.folder / "vault/review").rglob("*"):
        data = file.read_bytes() if file.is_file() else b""
        assert not any(name.encode() in data for name in (subject, *theirs, *gone["item"]))
    with store.opened(house.folder / "vault") as db:
        assert not {row.item for row in work.decided(db, None).itertuples()} & set(gone["item"])
