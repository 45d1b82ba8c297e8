"""A person withdraws: their shard and the gathers run again, and each shard packs the next major version, which is
without them, and as large: images of the reserve replace theirs; both versions verify."""

import json

import pandas as pd
import pytest
import yaml
from small import SMALL

from accord import shards
from house import rows_of

pytestmark = pytest.mark.slow

TARGETS = ("results/release/release.json", "results/analyse/members.parquet")


@pytest.fixture(scope="module")
def withdrawn(small_done, tmp_path_factory):
    """A house in which a person withdrew after a release: the house, their id, and what was planned."""
    house = small_done.copied(tmp_path_factory.mktemp("withdrawn") / "house")
    folder = house.folder
    said = yaml.safe_load((folder / "delivery/delivery.yaml").read_text())
    verdicts = pd.read_parquet(folder / "results/release/verdicts.parquet").set_index("image")["verdict"]
    for row in rows_of(folder / "delivery/images.csv"):
        image = shards.opaque_id(said["vendor"], said["delivery"], row["image"])
        if verdicts.get(image) == "pass":
            subject = shards.opaque_id(said["vendor"], row["subject"])
            break
    done = house.accord("consent", "withdraw", "--vendor", said["vendor"], "--subject", row["subject"])
    assert done.returncode == 0, done.stderr
    planned = house.planned()
    house.run(*TARGETS)
    return house, subject, planned


def test_only_their_shard_and_the_gathers_run(withdrawn):
    _, subject, planned = withdrawn
    shard = shards.shard_of(subject, SMALL["shards"])
    assert "intake_shard" not in planned
    assert planned["consent_apply"] == {shard}
    elsewhere = {rule for rule, ran in planned.items() if not ran <= {shard, ""}}
    assert elsewhere == {"release_pack"}  # ids are new in each version, so that each shard writes its files again


def test_the_next_major_version_is_without_them(withdrawn):
    house, subject, _ = withdrawn
    release = json.loads((house.folder / "results/release/release.json").read_text())
    assert release["version"] == "2.0.0"
    people = pd.concat(pd.read_parquet(f) for f in house.folder.glob("results/release/*/people.parquet"))
    verdicts = pd.read_parquet(house.folder / "results/release/verdicts.parquet")
    theirs = verdicts[verdicts["subject"] == subject]
    assert subject not in set(people["subject"])
    assert len(theirs) > 0
    assert set(theirs["verdict"]) == {"fail"}


def test_the_reserve_replaces_their_images(withdrawn):
    house, subject, _ = withdrawn
    first, second = (pd.read_parquet(house.folder / f"vault/releases/{v}.0.0/keys.parquet") for v in (1, 2))
    states = [dict(zip(keys["image"], keys["state"], strict=True)) for keys in (first, second)]
    gone = set(first.loc[first["subject"] == subject, "image"])
    moved = {image for image, state in states[1].items() if states[0][image] == "reserve" and state == "published"}
    assert len(moved) == len(gone) > 0
    verdicts = pd.read_parquet(house.folder / "results/release/verdicts.parquet").set_index("image")["verdict"]
    assert set(verdicts[list(moved)]) == {"pass"}
    assert (verdicts == "reserve").sum() == list(states[0].values()).count("reserve") - len(moved)
    scored = pd.read_parquet(house.folder / "results/analyse/members.parquet")["image"]
    assert moved <= set(scored) and not set(scored) & set(verdicts[verdicts == "reserve"].index)
    assert house.planned(*TARGETS) == {}


def test_both_versions_verify(withdrawn):
    house, *_ = withdrawn
    for version in ("1.0.0", "2.0.0"):
        done = house.accord("release", "verify", f"releases/{version}")
        assert done.returncode == 0, done.stdout + done.stderr
    told = house.accord("release", "diff", "releases/1.0.0", "releases/2.0.0")
    assert told.returncode == 0, told.stderr
    assert "removed" in told.stdout
