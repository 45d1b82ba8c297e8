"""A small shard with its vault, and what the tests of consent make of it."""

import math
from hashlib import sha256

from accord import cli
from accord.consent import apply, record
from accord.engine import table
from accord.intake.tables import Annotators, Forms, Images, People, Refused
from accord.shards import opaque_id

ANN, BOB = opaque_id("acme", "ann"), opaque_id("acme", "bob")
SCOPES = ("collect", "publish_image", "publish_attr:*")


def image(name, subject):
    return {
        "image": name, "subject": subject, "vendor": "acme", "delivery": "d", "source": name.upper(),
        "rendered": False,
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
           "evidence_sha256": sha256(f"{name} of {subject}".encode()).hexdigest(), "joint": False}  # fmt: skip
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
        self.refused, self.annotators = [], []
        self.settings = {"inbox": [], "proof_required": False}

    def record(self, name="00"):
        forms, people = self.folder / f"{name}.forms.parquet", self.folder / f"{name}.people.parquet"
        table.write(table.rows(self.forms, Forms), Forms, forms)
        table.write(table.rows(self.people, People), People, people)
        annotators = self.folder / f"{name}.annotators.parquet"
        table.write(table.rows([annotator(one) for one in self.annotators], Annotators), Annotators, annotators)
        refused = self.folder / f"{name}.refused.parquet"
        table.write(table.rows(self.refused, Refused), Refused, refused)
        return record.run([forms], [people], [annotators], [refused], vault=self.vault, **self.settings)

    def apply(self, held_on=""):
        return apply.run(
            table.rows(self.images, Images), table.rows(self.people, People), table.rows(self.forms, Forms),
            table.rows([annotator("a1"), annotator("a2")], Annotators), table.rows(self.refused, Refused),
            vault=self.vault, as_of="2026-11-01", held_on=held_on, min_age=18,
        )  # fmt: skip

    def passing(self):
        return self.apply().images["image"].tolist()

    def withdraw(self, reference, *flags):
        return cli.main(["consent", "withdraw", "--vault", str(self.vault), "--vendor", "acme", "--subject", reference,
                         "--on", "2026-06-01", *flags])  # fmt: skip

    def accord(self, action, *flags):
        return cli.main(["consent", action, "--vault", str(self.vault), *flags])
