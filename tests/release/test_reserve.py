"""The reserve: who is held back, who replaces whom, and what is forgotten."""

import json

import pandas as pd
import pytest

from accord import files
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.findings import Findings
from accord.release import select
from accord.release.claims import c2pa
from accord.release.disclosure import memory
from accord.release.disclosure.aggregates import Cell
from accord.release.disclosure.memory import Memory
from accord.release.making.content import Digests
from accord.release.reserve import admitted, key_attributes
from accord.release.reserve import images as reserve
from accord.release.seal import versions
from accord.release.tables import Attributes, Derivatives, People

SHARE = 0.5
NAMES = [f"sub-{n}" for n in range(60)]
HELD = [name for name in NAMES if reserve.is_held(name, SHARE)]
OPEN = [name for name in NAMES if not reserve.is_held(name, SHARE)]


class World:
    """A vault, and images: name -> (subjects, the first is the primary one; pronoun of the primary)."""

    def __init__(self, vault, images: dict[str, tuple[list[str], str]]):
        self.vault, self.images, self.stopped = vault, dict(images), {}

    def select(self, share: float = SHARE) -> dict[str, str]:
        """Image -> state."""
        self.keys = select.run(*self._tables(), vault=self.vault, reserve=share)
        return self.keys.set_index("image")["state"].to_dict()

    def publish(self, share: float = SHARE) -> set[str]:
        """What is released, in a version of its own; selecting again gives the same."""
        states = self.select(share)
        released = {image for image, state in states.items() if state == "published"}
        version = f"{len(versions.history(self.vault)) + 1}.0.0"
        key_attributes.keep(self.vault, version, self.keys)
        versions.record(self.vault, {"version": version}, {image: Digests("p", "a") for image in released})
        assert self.select(share) == states
        return released

    def _tables(self) -> list[pd.DataFrame]:
        verdicts = [(i, who[0], *self.stopped.get(i, ("pass", "", "", ""))) for i, (who, _) in self.images.items()]
        made = {i: told for i, told in self.images.items() if i not in self.stopped}
        files = [(i, "", "original", "", f"{i}.png", 0, 1, "0" * 64, "0" * 64, 1, 1) for i in made]
        people = [(i, s, s == who[0], 31, *[1.0] * 8, "") for i, (who, _) in made.items() for s in who]
        said = [(i, who[0], "pronoun", pronoun, "") for i, (who, pronoun) in made.items()]
        said += [(i, "", "scene", "12. Indoor: Home or hotel", "") for i in made]
        given = ((verdicts, Verdicts), ([], Findings), (files, Derivatives), (people, People), (said, Attributes))
        return [table.rows(rows, model) for rows, model in given]

    def withdraw(self, *images: str, room: str = "consent", check: str = "consent.form_missing") -> None:
        self.stopped |= dict.fromkeys(images, ("fail", room, check, "no"))


@pytest.fixture
def world(tmp_path):
    """Two open images of each pronoun, and two held ones of each."""
    images = {f"open-{n}": ([OPEN[n]], "she" if n < 2 else "he") for n in range(4)}
    images |= {f"held-{n}": ([HELD[n]], "she" if n < 2 else "he") for n in range(4)}
    return World(tmp_path / "vault", images)


def test_the_reserve_is_a_share_of_the_subjects_and_grows_with_it():
    many = [f"s{n}" for n in range(4000)]
    small, large = ({s for s in many if reserve.is_held(s, share)} for share in (0.05, 0.2))
    assert small < large
    assert 150 < len(small) < 250 and 700 < len(large) < 900
    assert not any(reserve.is_held(s, 0.0) for s in many)


def test_images_of_the_reserve_are_held_back_and_so_are_those_with_one_of_them(world):
    world.images["both"] = ([OPEN[0], HELD[0]], "she")
    states = world.select()
    assert {image for image, state in states.items() if state == "published"} == {f"open-{n}" for n in range(4)}
    assert states["both"] == "reserve"
    assert set(world.select(0.0).values()) == {"published"}


def test_keys_tell_what_is_published_of_the_primary_subject(world):
    world.select()
    row = world.keys.set_index("image").loc["open-3"]
    assert row.to_dict() == {
        "subject": OPEN[3],
        "state": "published",
        "pronoun": "he",
        "age_group": "[30, 40)",
        "ancestry": "",
        "pose": "",
        "scene": "12. Indoor: Home or hotel",
        "camera_distance": "",
    }


def test_a_withdrawn_image_is_replaced_by_one_that_is_alike(world):
    assert world.publish() == {f"open-{n}" for n in range(4)}
    world.withdraw("open-3")
    second = world.publish()
    assert second - {"held-2", "held-3"} == {"open-0", "open-1", "open-2"} and len(second) == 4
    replacement = (second - {f"open-{n}" for n in range(4)}).pop()
    world.withdraw("open-3", replacement)
    third = world.publish()
    assert third == {"open-0", "open-1", "open-2"} | ({"held-2", "held-3"} - {replacement})


def test_a_run_that_was_killed_before_it_published_chooses_the_same(world):
    world.publish()
    world.withdraw("open-1", "open-3")
    chosen = world.select()
    key_attributes.keep(world.vault, "2.0.0", world.keys)  # as publish does, before the version is recorded
    assert world.select() == chosen
    assert world.publish() == {image for image, state in chosen.items() if state == "published"}


def test_what_was_published_stays_so_when_the_reserve_grows(world):
    assert len(world.publish(0.0)) == 8
    assert len(world.publish(SHARE)) == 8


def test_an_image_that_falls_for_another_reason_is_not_replaced(world):
    world.publish()
    world.withdraw("open-3", room="checks", check="exif")
    assert world.publish() == {"open-0", "open-1", "open-2"}


def test_an_image_that_left_the_delivery_is_replaced(world):
    world.publish()
    del world.images["open-0"]
    assert len(world.publish()) == 4


def test_an_image_that_was_admitted_replaces_and_no_second_one_does(world):
    world.publish()
    chosen = reserve.replacements(world.vault, frozenset({"open-0"}))
    assert len(chosen) == 1 and chosen[0] in ("held-0", "held-1")
    reserve.admit(world.vault, chosen)
    reserve.admit(world.vault, chosen)
    world.withdraw("open-0")
    assert world.publish() == {"open-1", "open-2", "open-3", *chosen}


def test_admitted_images_are_released_after_the_fallen_ones_were_forgotten(world):
    world.publish()
    gone = frozenset({"open-0", "open-2"})
    chosen = reserve.replacements(world.vault, gone)
    reserve.admit(world.vault, chosen)
    assert reserve.replacements(world.vault, frozenset({"open-1"}))[0] not in chosen
    world.withdraw(*gone)
    reserve.forget(world.vault, gone, frozenset({OPEN[0], OPEN[2]}))
    assert world.publish() == {"open-1", "open-3", *chosen}


def test_a_persons_own_images_do_not_replace_theirs(world):
    world.images["more"] = ([OPEN[0], HELD[5]], "she")
    world.publish()
    assert "more" not in reserve.replacements(world.vault, frozenset({"open-0", "open-1", "open-2", "open-3"}))


def test_without_a_version_nothing_is_replaced(tmp_path):
    assert reserve.replacements(tmp_path, frozenset({"a"})) == []
    assert reserve.forget(tmp_path, frozenset({"a"}), frozenset({"b"})) == 0


def test_forgetting_leaves_nothing_but_numbers_and_can_be_repeated(world):
    world.publish()
    memory.keep(world.vault, Memory({("height", "181"): Cell(10, frozenset({OPEN[0], OPEN[1]}))}, "k"))
    reserve.admit(world.vault, ["open-0", "held-1"])
    gone = frozenset({"open-0"}), frozenset({OPEN[0]})
    assert reserve.forget(world.vault, *gone) == 4
    assert reserve.forget(world.vault, *gone) == 0
    kept = [path for path in world.vault.rglob("*") if path.is_file()]
    assert [f.name for f in kept if b"open-0" in f.read_bytes() or OPEN[0].encode() + b'"' in f.read_bytes()] == []
    assert "open-0" not in set(key_attributes.read(world.vault, "1.0.0")["image"])
    assert admitted.read(world.vault) == {"held-1"}
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    later = versions.changes(world.vault, "1.0.0", {f"open-{n}": Digests("p", "a") for n in (1, 2, 3)})
    assert (later.removed, versions.following(later)) == (1, "2.0.0")


def test_forgetting_by_the_subject_alone_takes_their_images(world):
    world.publish()
    reserve.forget(world.vault, frozenset(), frozenset({OPEN[1]}))
    reserve.forget(world.vault, frozenset({"open-2"}), frozenset())
    index = json.loads((world.vault / "releases/1.0.0/images.json").read_text())
    assert sorted(index) == ["forgotten-0", "forgotten-1", "open-0", "open-3"]


def test_what_was_claimed_of_a_picture_goes_with_it(world):
    world.publish()
    for image in ("open-0", "open-1"):
        files.keep_private(world.vault / c2pa.FOLDER / image / "original.jumbf", b"claim")
    assert reserve.forget(world.vault, frozenset({"open-0"}), frozenset()) == 3
    assert [path.name for path in (world.vault / c2pa.FOLDER).iterdir()] == ["open-1"]


def test_a_version_that_was_begun_and_never_published_is_forgotten_too(world):
    world.publish()
    key_attributes.keep(world.vault, "2.0.0", world.keys)
    assert reserve.forget(world.vault, frozenset({"open-1"}), frozenset()) == 3
    assert "open-1" not in set(key_attributes.read(world.vault, "2.0.0")["image"])


def test_the_digest_of_admitted_images_changes_with_them_alone(tmp_path):
    none = admitted.digest(tmp_path)
    reserve.admit(tmp_path, ["b", "a"])
    some = admitted.digest(tmp_path)
    reserve.admit(tmp_path, ["a"])
    assert none != some == admitted.digest(tmp_path)


def test_a_release_keeps_the_keys_of_what_it_holds_and_of_its_reserve(house, tiny):
    house.settings = tiny.SETTINGS | {"reserve": SHARE}
    cast = {f"img-{n}": ("small", [tiny.Person(name)]) for n, name in enumerate([*OPEN[:2], *HELD[:2]])}
    first = house.publish(cast)
    assert first["images"] == 2 and "| Held in reserve | 2 |" in house.bytes_of("1.0.0")["datasheet.md"].decode()
    keys = key_attributes.read(house.vault, "1.0.0").set_index("image")
    assert keys["state"].tolist() == ["published"] * 2 + ["reserve"] * 2
    assert house.publish(cast) == first
    second = house.publish(cast, withdrawn=("img-0",))
    assert (second["version"], second["images"], second["removed"], second["added"]) == ("2.0.0", 2, 1, 1)
    assert house.publish(cast, withdrawn=("img-0",)) == second


def test_the_least_k_and_the_share_are_no_content(house, tiny):
    first = house.publish()
    house.settings = tiny.SETTINGS | {"min_k": 1, "reserve": 0.01}
    assert house.publish() == first
