"""Forms into the ledger, and from there to what may pass; events by command; their digests."""

import math
import stat

import pytest

from accord import cli, table
from accord.consent import apply, events, ledger, record
from accord.errors import AccordError
from accord.intake.tables import Annotators, Forms, Images, People, Refused
from accord.shards import opaque_id

ANN, BOB = opaque_id("acme", "ann"), opaque_id("acme", "bob")
SCOPES = ("collect", "publish_image", "publish_attr:*")


def image(name, subject):
    return {
        "image": name, "subject": subject, "vendor": "acme", "delivery": "d", "source": name.upper(),
        "member": f"{name}.jpg", "offset": 0, "size": 9, "sha256": "0" * 64, "media": "image/jpeg", "width": 9,
        "height": 9, "orientation": 1, "has_exif": True, "captured_at": "", "location_country_m49": None,
        **dict.fromkeys(("manufacturer", "model", "software", "location_country", "location_country_given",
                         "location_region", "user_hour_captured"), ""),
        **dict.fromkeys(("aperture_value", "focal_length", "iso_speed_ratings", "shutter_speed_value", "gps_latitude",
                         "gps_longitude"), math.nan),
        "user_date_captured": "2026-02-03",
    }  # fmt: skip


def person(name, subject, primary=True):
    box = [f"{part}_{side}" for part in ("face", "person") for side in ("x", "y", "width", "height")]
    return {"image": name, "subject": subject, "is_primary": primary, "age": 30, "face_annotator": "",
            **dict.fromkeys(box, 1.0)}  # fmt: skip


def form(name, subject, scopes=SCOPES, kind="consent", **changes):
    row = {"form": name, "kind": kind, "party": "subject_primary" if kind == "consent" else "rightsholder",
           "subject": subject, "image": "", "signed_on": "2026-01-02", "expires_on": "", "birth_date": "1990-05-01",
           "notice": "n1", "notice_version": "1", "notice_sha256": "a" * 64, "language": "en",
           "evidence_sha256": "b" * 64}  # fmt: skip
    return [{**row, **changes, "scope": scope} for scope in scopes]


def annotator(name):
    return {"annotator": opaque_id("acme", name), "vendor": "acme", "role": "annotator", "pronoun": "1. He/him/his",
            "age_group": "[30, 40)", "ancestry": "11. Asia", "nationality": "Japan", "consents": True}  # fmt: skip


class Shard:
    """The tables of one shard: i1 of ann, i2 of ann and bob, i3 of bob; all with forms."""

    def __init__(self, folder):
        self.folder, self.vault = folder, folder / "vault"
        self.images = [image("i1", ANN), image("i2", ANN), image("i3", BOB)]
        self.people = [person("i1", ANN), person("i2", ANN), person("i2", BOB, False), person("i3", BOB)]
        self.forms = [
            *form("f1", ANN), *form("f2", BOB), *form("r1", ANN, ("copyright",), "copyright"),
            *form("r2", BOB, ("copyright",), "copyright"),
        ]  # fmt: skip
        self.refused = []

    def record(self, name="00"):
        forms, people = self.folder / f"{name}.forms.parquet", self.folder / f"{name}.people.parquet"
        table.write(table.rows(self.forms, Forms), Forms, forms)
        table.write(table.rows(self.people, People), People, people)
        return record.run([forms], [people], vault=self.vault)

    def apply(self):
        return apply.run(
            table.rows(self.images, Images), table.rows(self.people, People), table.rows(self.forms, Forms),
            table.rows([annotator("a1"), annotator("a2")], Annotators), table.rows(self.refused, Refused),
            vault=self.vault, as_of="2026-11-01", min_age=18,
        )  # fmt: skip

    def passing(self):
        return self.apply().images["image"].tolist()

    def withdraw(self, reference, *flags):
        return cli.main(["consent", "withdraw", "--vault", str(self.vault), "--vendor", "acme", "--subject", reference,
                         "--on", "2026-06-01", *flags])  # fmt: skip


@pytest.fixture
def shard(tmp_path):
    made = Shard(tmp_path)
    made.record()
    return made


def test_import_counts_and_says_nothing_of_anyone(tmp_path):
    told = Shard(tmp_path).record()
    assert told == {"party": 4, "notice": 1, "consent_event": 6, "ipr_form": 2, "depicts": 4}


def test_import_twice_changes_nothing(shard):
    before = (shard.vault / ledger.NAME).read_bytes()
    assert shard.record() == {"party": 4, "notice": 1, "consent_event": 6, "ipr_form": 2, "depicts": 4}
    assert (shard.vault / ledger.NAME).read_bytes() == before
    assert stat.S_IMODE(shard.vault.stat().st_mode) == 0o700


def test_a_form_in_two_shards_is_one_form(shard):
    paths = [shard.folder / f"00.{kind}.parquet" for kind in ("forms", "people")]
    told = record.run([paths[0], paths[0]], [paths[1]], vault=shard.vault)
    assert told["consent_event"] == 6


def test_all_pass_and_every_finding_is_told(shard):
    out = shard.apply()
    assert out.images["image"].tolist() == ["i1", "i2", "i3"]
    assert out.findings.groupby("image").size().tolist() == [5, 5, 5]
    assert set(out.findings["verdict"]) == {"pass"}
    granted = out.permits[(out.permits["image"] == "i2") & (out.permits["subject"] == BOB)]["scope"].tolist()
    assert {"collect", "publish_image", "publish_attr:pronoun"} <= set(granted)
    assert "biometric" not in granted
    assert len(granted) == 25


def test_two_vaults_give_the_same_tables(shard, tmp_path):
    other = Shard(tmp_path / "other")
    other.folder.mkdir()
    other.record()
    for mine, theirs in zip(shard.apply(), other.apply(), strict=True):
        assert mine.equals(theirs)


def test_whoever_withdraws_takes_all_images_of_theirs_out(shard, capsys):
    assert shard.withdraw("bob") == 0
    assert shard.passing() == ["i1"]
    out = shard.apply()
    assert BOB not in set(out.permits["subject"])
    assert out.findings[out.findings["verdict"] == "fail"][["image", "check"]].values.tolist() == [
        ["i2", "consent.scope"], ["i3", "consent.scope"]
    ]  # fmt: skip
    assert "recorded: withdrawal of *" in capsys.readouterr().out


def test_withdrawal_of_one_image(shard):
    shard.images[1]["image"] = named = opaque_id("acme", "d", "I2")
    for row in shard.people[1:3]:
        row["image"] = named
    shard.withdraw("bob", "--delivery", "d", "--image", "I2")
    assert set(shard.passing()) == {"i1", "i3"}


def test_withdrawal_of_one_attribute_takes_that_alone(shard):
    shard.withdraw("bob", "--scope", "publish_attr:pronoun")
    out = shard.apply()
    assert len(out.images) == 3
    granted = set(out.permits[out.permits["subject"] == BOB]["scope"])
    assert "publish_attr:pronoun" not in granted
    assert "publish_attr:ancestry" in granted


def test_withdrawal_of_a_rightsholder(shard):
    shard.withdraw("ann", "--role", "rightsholder")
    assert shard.passing() == ["i3"]


def test_withdrawal_of_an_annotator_blanks_what_they_disclosed(shard):
    shard.withdraw("a2", "--role", "annotator")
    out = shard.apply()
    assert len(out.images) == 3
    told = out.annotators.set_index("annotator")[["pronoun", "nationality", "consents"]]
    assert told.loc[opaque_id("acme", "a2")].tolist() == ["", "", False]
    assert told.loc[opaque_id("acme", "a1")].tolist() == ["1. He/him/his", "Japan", True]


def test_somebody_drawn_but_unknown_stops_the_image(shard):
    shard.refused = [{"item": "person", "image": "i1", "subject": "zoe", "reference": "I1", "check": "subject",
                      "reason": "r", "fatal": False}]  # fmt: skip
    assert shard.passing() == ["i2", "i3"]


def test_an_image_of_somebody_else_needs_a_form_of_its_own(shard):
    shard.forms = [row for row in shard.forms if row["form"] != "r2"]
    shard.forms += form("r3", "studio", ("copyright",), "copyright", image="i3", birth_date="")
    shard.record()
    assert shard.passing() == ["i1", "i2", "i3"]
    shard.forms[-1]["image"] = "i9"
    shard.record()
    assert shard.passing() == ["i1", "i2"]


def test_a_form_that_is_no_longer_delivered_grants_nothing(shard):
    shard.forms = [row for row in shard.forms if row["form"] != "f1"]
    assert shard.passing() == ["i3"]


def test_a_form_that_was_not_imported_is_an_error(shard):
    shard.forms += form("f9", ANN)
    with pytest.raises(AccordError, match=r"lacks 3 scope\(s\) of this shard's forms"):
        shard.apply()


def test_digests_change_for_the_shards_that_show_the_person(shard):
    shown = {"00": frozenset({ANN, BOB}), "01": frozenset({BOB}), "02": frozenset()}
    before = events.digests(shard.vault, shown)
    shard.withdraw("ann")
    after = events.digests(shard.vault, shown)
    assert [key for key in shown if before[key] != after[key]] == ["00"]
    shard.withdraw("bob")
    assert [key for key in shown if after[key] != events.digests(shard.vault, shown)[key]] == ["00", "01"]


def test_digests_know_no_salts_and_no_imports(shard, tmp_path):
    shown = {"00": frozenset({ANN})}
    assert events.digests(shard.vault, shown) == events.digests(tmp_path / "none", shown)
    other = Shard(tmp_path / "other")
    for one in (shard, other):
        one.withdraw("ann")
    assert events.digests(shard.vault, shown) == events.digests(other.vault, shown)


def test_show_and_verify(shard, capsys):
    shard.withdraw("ann", "--scope", "biometric")
    capsys.readouterr()
    vault = ["--vault", str(shard.vault)]
    assert cli.main(["consent", "show", *vault]) == 0
    told = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert (told["consent_event"], told["withdrawals"], told["entries"]) == ("7", "1", "18")
    assert cli.main(["consent", "verify", *vault, "--head", told["head"]]) == 0
    assert capsys.readouterr().out == f"18 entries, each as it was written; head {told['head']}\n"
    cli.main(["consent", "show", *vault, "--vendor", "acme", "--subject", "ann"])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"person {ANN}: in 2 image(s)"
    assert told[-1] == "  2026-06-01 withdrawn biometric for all images"


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["withdraw", "--vendor", "v", "--subject", "s", "--scope", "fly"], "--scope: is no scope"),
        (["withdraw", "--vendor", "v", "--subject", "s", "--image", "i"], "--image: needs --delivery"),
        (["show", "--subject", "s"], "--subject: needs --vendor"),
        (["verify", "--head", "x"], "does not hold the hash that was noted"),
    ],
)
def test_commands_say_what_is_wrong(shard, flags, what):
    with pytest.raises(AccordError, match=what):
        cli.main(["consent", *flags, "--vault", str(shard.vault)])


def test_withdrawal_of_somebody_unknown_is_recorded_with_a_note(tmp_path, capsys):
    shard = Shard(tmp_path)
    assert shard.withdraw("zoe") == 0
    assert "note: no form of this person is in the ledger" in capsys.readouterr().out
    assert shard.withdraw("zoe") == 0
    assert "recorded before" in capsys.readouterr().out
