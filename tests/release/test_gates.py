"""The gates: a release that breaks a rule is not made, whatever let it through before."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.checks.tables.findings import Verdicts
from accord.consent.tables import Findings, Permits
from accord.engine import table
from accord.errors import AccordError
from accord.intake.tables import People
from accord.release import gates
from accord.release.disclosure import gatekeepers, kanonymity
from accord.release.disclosure.survey import survey
from accord.release.format import fhibe
from accord.release.making import content
from accord.release.making.shard_tables import MODELS


class Room:
    """The files of one shard, as the gates read them; tables can be changed in between."""

    def __init__(self, folder, made, given):
        self.folder, self.tables = folder, dict(made._asdict())
        self.tables |= {"depicted": given["people"], "permits": given["permits"]}
        looked = [(image, "consent.scope", 0.0, 0.0, "pass", "") for image in made.public["image"]]
        self.tables["findings"] = table.rows(looked, Findings)
        primary = made.people[made.people["is_primary"]]
        verdicts = [(p.image, p.subject, "pass", "", "", "") for p in primary.itertuples()]
        self.verdicts = table.rows(verdicts, Verdicts)

    def judge(self, min_k: int = 0, names=("pronoun",)) -> pd.DataFrame:
        models = MODELS | {"depicted": People, "permits": Permits, "findings": Findings}
        files = {name: [self.folder / f"{name}.parquet"] for name in models}
        for name, model in models.items():
            table.write(self.tables[name], model, files[name][0])
        return gates.run(self.verdicts, **files, quasi_identifiers=list(names), min_k=min_k)

    def add(self, name: str, *row) -> None:
        model = (MODELS | {"permits": Permits, "findings": Findings})[name]
        self.tables[name] = pd.concat([self.tables[name], table.rows([row], model)], ignore_index=True)

    def drop(self, name: str, **where: str) -> None:
        rows = self.tables[name]
        self.tables[name] = rows[~(rows[list(where)] == pd.Series(where)).all(axis=1)]

    def rename(self, subject: str, other: str) -> None:
        """Intake saw another person than the one that release tells of."""
        self.tables["depicted"] = self.tables["depicted"].replace({"subject": {subject: other}})

    def change(self, name: str, column: str, value) -> None:
        self.tables[name] = self.tables[name].assign(**{column: value})


@pytest.fixture
def room(tmp_path, made, tiny):
    _, derived = made
    given = tiny.make_shard(tmp_path / "given", tiny.IMAGES).tables
    return Room(tmp_path, derived, given)


def dealt(room: Room) -> dict[str, list]:
    """The files of the room's tables, each image in a shard of its own, the last shard empty."""
    models = MODELS | {"depicted": People, "permits": Permits, "findings": Findings}
    files: dict[str, list] = {name: [] for name in models}
    for number, image in enumerate([*sorted(set(room.verdicts["image"])), "nobody's"]):
        for name, model in models.items():
            files[name].append(room.folder / f"{name}-{number}.parquet")
            rows = room.tables[name]
            table.write(rows[rows["image"] == image], model, files[name][-1])
    return files


@pytest.mark.parametrize("at_once", [1, 30_000, content.AT_ONCE])
def test_shards_say_the_same_however_many_are_read_at_once(room, monkeypatch, at_once):
    room.drop("permits", scope="publish_attr:pronoun")
    whole = room.judge(names=("pronoun", "ancestry"))
    assert "scope" in failed(whole)
    monkeypatch.setattr(content, "AT_ONCE", at_once)
    files = dealt(room)
    found = gates.run(room.verdicts, **files, quasi_identifiers=["pronoun", "ancestry"], min_k=0)
    for name in gates.Judged._fields:
        pd.testing.assert_frame_equal(getattr(found, name), getattr(whole, name))
    passing = set(room.verdicts["image"])
    one, each = (
        survey([dict(zip(MODELS, paths, strict=True)) for paths in zip(*shards, strict=True)], passing)
        for shards in ([[room.folder / f"{name}.parquet"] for name in MODELS], [files[name] for name in MODELS])
    )
    assert one._replace(composition=None) == each._replace(composition=None) and len(one.images) == len(passing)
    pd.testing.assert_frame_equal(one.composition, each.composition)


def test_every_shard_is_in_one_block_and_a_large_one_in_its_own(tmp_path, monkeypatch):
    sizes = [3, 3, 3, 20, 1, 0, 9, 1]
    for number, size in enumerate(sizes):
        (tmp_path / str(number)).write_bytes(b"x" * size)
    monkeypatch.setattr(content, "AT_ONCE", 10)
    shards = [{"only": tmp_path / str(number)} for number in range(len(sizes))]
    assert [sizes[some] for some in content.blocks(shards)] == [[3, 3, 3], [20], [1, 0, 9], [1]]
    assert [*content.blocks([])] == []


def failed(judged) -> dict[str, str]:
    rows = judged.gates[judged.gates["verdict"] == "fail"]
    return dict(zip(rows["gate"], rows["reason"], strict=True))


def test_what_derive_makes_passes_every_gate(room):
    judged = room.judge()
    assert failed(judged) == {}
    assert judged.gates["gate"].tolist() == ["consent", "scope", "aggregate_only", "times", "k_anonymity"]
    assert (judged.gates[["images", "subjects"]] == [3, 3]).all(axis=None)
    gates.must_pass(judged.gates)


PLANTED = {
    "withdrew": (lambda r: r.add("findings", "img-2", "consent.form_missing", 1.0, 0.0, "fail", "no"), "consent",
                 "the consent steps stopped the image (1 in 1 image(s))"),
    "never checked": (lambda r: r.drop("findings", image="img-1"), "consent",
                        "the consent steps never checked the image (1 in 1 image(s))"),
    "stranger": (lambda r: r.rename("sub-2", "sub-9"), "consent",
                 "a person in the image does not permit publish_image (1 in 1 image(s))"),
    "nobody": (lambda r: (r.drop("depicted", image="img-3"), r.drop("people", image="img-3")), "consent",
               "no person is recorded in the image (1 in 1 image(s))"),
    "secondary": (lambda r: r.drop("permits", image="img-1", subject="sub-2", scope="publish_image"), "scope",
                  "attributes without publish_image (1 in 1 image(s))"),
    "attribute": (lambda r: r.add("attributes", "img-3", "sub-3", "hairstyle", "2. Short", ""), "scope",
                  "hairstyle without publish_attr:hairstyle (1 in 1 image(s))"),
    "checked": (lambda r: r.add("checked", "img-3", "sub-3", "facial_marks", "annotator-c"), "scope",
                "facial_marks without publish_attr:facial_marks (1 in 1 image(s))"),
    "age": (lambda r: r.change("people", "age", 31), "scope", "age without publish_attr:age (1 in 1 image(s))"),
    "unlisted": (lambda r: r.add("attributes", "img-2", "sub-1", "religion", "x", ""), "scope",
                 "religion is not a releasable attribute (1 in 1 image(s))"),
    "counted": (lambda r: r.add("aggregate", "img-3", "sub-3", "disability", "none", ""), "scope",
                "disability without aggregate_attr:disability (1 in 1 image(s))"),
    "height": (lambda r: r.add("attributes", "img-2", "sub-1", "height", "181", ""), "aggregate_only",
               "height is listed per person (1 in 1 image(s))"),
    "day": (lambda r: r.change("public", "user_date_captured", "2023-05-17"), "times",
            "a date is more precise than a month (3 in 3 image(s))"),
    "hour": (lambda r: r.change("public", "user_hour_captured", "18:31"), "times",
             "a time is more precise than a quarter of the day (3 in 3 image(s))"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_each_planted_violation_is_found_and_told(room, name):
    plant, gate, reason = PLANTED[name]
    plant(room)
    judged = room.judge()
    assert reason in failed(judged)[gate]
    with pytest.raises(AccordError, match=f"gate {gate}: "):
        gates.must_pass(judged.gates)


def test_a_column_that_tells_what_is_only_counted_is_found():
    assert list(gatekeepers.columns(["image_height", "weight", "pronoun"])["what"]) == [
        "a column lists weight per person"
    ]
    assert len(gatekeepers.columns(fhibe.WHOLE_COLUMNS)) == 0


def test_images_that_are_not_released_stop_no_gate(room):
    room.drop("permits", image="img-1")
    room.verdicts = room.verdicts.assign(verdict=["fail", "pass", "pass"])
    assert failed(room.judge()) == {}


def test_too_few_people_who_are_alike_stop_the_release_where_a_least_number_is_set(room):
    assert room.judge(min_k=3).gates["score"].iloc[-1] == 3
    judged = room.judge(min_k=4)
    reason = "the smallest group of people with the same quasi-identifiers has k = 3, below 4"
    assert failed(judged) == {"k_anonymity": reason}


def test_all_reasons_are_told_at_once_and_a_gate_that_nobody_tried_is_one(room):
    room.change("public", "user_hour_captured", "18:31")
    room.add("attributes", "img-2", "sub-1", "height", "181", "")
    judged = room.judge().gates
    with pytest.raises(AccordError) as error:
        gates.must_pass(judged[judged["gate"] != "consent"])
    assert [p.where for p in error.value.problems] == [
        *("gate scope", "gate aggregate_only", "gate times", "gate consent"),
    ]
    assert "gate consent: was not checked" in str(error.value)


def test_a_release_that_fails_a_gate_is_not_made(house, tiny):
    house.settings = tiny.SETTINGS | {"min_k": 4}
    with pytest.raises(AccordError, match="gate k_anonymity: the smallest group"):
        house.publish()
    assert not house.releases.exists() and not house.vault.exists()


def test_a_name_that_is_no_quasi_identifier_is_refused(room):
    with pytest.raises(AccordError) as error:
        room.judge(names=("pronoun", "height", "shoe_size"))
    assert [str(p).splitlines()[0] for p in error.value.problems] == [
        "release.quasi_identifiers: 'height' is not published",
        "release.quasi_identifiers: 'shoe_size' is not published",
    ]


people = st.lists(st.tuples(st.sets(st.sampled_from("ab")), st.sampled_from(["", "x", "y"])), min_size=1, max_size=15)


@given(people)
def test_people_are_alike_where_all_their_sets_of_values_are(them):
    rows = [("pronoun", f"s{n}", value) for n, (values, _) in enumerate(them) for value in {"", *values}]
    rows += [("scene", f"s{n}", value) for n, (_, value) in enumerate(them)]
    told = pd.DataFrame(rows, columns=["attribute", "subject", "value"])
    found = kanonymity.classes(told, ["pronoun", "scene"])
    alike = {(frozenset(a), b): sum((frozenset(a), b) == (frozenset(c), d) for c, d in them) for a, b in them}
    assert sorted(found["subjects"]) == sorted(alike.values())
    assert kanonymity.k(found) == min(alike.values())
    alone = sum(count for count in alike.values() if count < 2) / len(them)
    assert kanonymity.share(found, 2) == pytest.approx(alone)


def test_the_paragraph_tells_k_and_shares():
    told = pd.DataFrame(
        [(f"s{n}", "pronoun", "a" if n else "b") for n in range(8)], columns=["subject", "attribute", "value"]
    )
    text = kanonymity.paragraph(kanonymity.classes(told, ["pronoun"]), ["pronoun"])
    assert text.startswith(
        "By pronoun, 8 people fall into 2 groups; the smallest has k = 1. 12% of the people are alone"
    )
    assert "12% are in a group of fewer than 5 and 100% are in a group of fewer than 10" in text


def test_the_datasheet_tells_how_alike_people_are(house):
    assert "the smallest has k = 1" in house.publish()["anonymity"]
    assert "3 people fall into 2 groups; the smallest has k = 1" in house.bytes_of("1.0.0")["datasheet.md"].decode()
