"""A tiny project with everything in it that an erasure touches, and stand-ins for the parts that others do.

ann is alone in the first image, with bob in the second, bob alone in the third; cid and dan live in the other shard.
Version 1.0.0 has all five images. What a rebuild without ann makes lies ready in `after/`.
"""

import base64
import csv
import fcntl
import hashlib
import io
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from accord import cli
from accord.consent.ledger import ledger
from accord.consent.ledger.records import FORM, GRANTED, ConsentEvent, Depicts, IprForm, Notice, Party
from accord.engine import provenance, run_lock
from accord.erase.cases.machine import Options
from accord.erase.cases.places import Places
from accord.erase.executing.effects import Effects
from accord.files import keep_private, replace
from accord.imaging.bundle import BundleWriter
from accord.release.making.content import Digests
from accord.release.seal import identity, leaves, log, seal, versions
from accord.release.tree import tree
from accord.shards import opaque_id

VENDOR, DELIVERY = "acme", "2026-03"
IMAGES = {"IMG_00001": ["ann"], "IMG_00002": ["ann", "bob"], "IMG_00003": ["bob"], "IMG_00004": ["cid"],
          "IMG_00005": ["dan"]}  # fmt: skip
SHARD = {"IMG_00001": "00", "IMG_00002": "00", "IMG_00003": "00", "IMG_00004": "01", "IMG_00005": "01"}
REFERENCES = {name: f"Subject-{name}-77" for name in ("ann", "bob", "cid", "dan")}
REBUILD = ["cp", "-a", "after/.", "."]
NOW = "2026-11-20T12:00:00+00:00"


def who(name: str) -> str:
    return opaque_id(VENDOR, REFERENCES[name])


def image(reference: str) -> str:
    return opaque_id(VENDOR, DELIVERY, reference)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class House(NamedTuple):
    """The project in the working folder."""

    places: Places

    @classmethod
    def there(cls) -> "House":
        """The project that lies in the working folder."""
        return cls(Places(deliveries=(Path("delivery"),), inbox=Path("inbox")))

    @classmethod
    def build(cls, gone: tuple[str, ...] = ("ann",)) -> "House":
        """`gone`: whom a rebuild does without."""
        house = cls.there()
        house.places.inbox.mkdir()
        deliver(list(IMAGES))
        house._record()
        publish(house.places, Path("releases"), "1.0.0", list(IMAGES))
        compute(Path("results"), list(IMAGES), "1.0.0")
        snakemake()
        kept = [reference for reference, people in IMAGES.items() if not set(people) & set(gone)]
        publish(house.places, Path("after/releases"), "2.0.0", kept)
        compute(Path("after/results"), kept, "2.0.0")
        for name in REFERENCES:
            keep_private(Path("vault/keys/subjects") / who(name), b"key")
        return house

    def _record(self) -> None:
        found = [Notice("n1", "1", "en", sha("notice"))]
        for name in REFERENCES:
            form = ("", "collect", GRANTED, "2026-01-02", "", FORM, f"form-{name}-1", sha("notice"), sha(name))
            found += [Party(who(name), "subject_primary"), ConsentEvent("subject_primary", who(name), *form)]
            found += [IprForm(who(name), "", "2026-01-02", "", f"rights-{name}-1", sha(f"r{name}"))]
        for reference, people in IMAGES.items():
            found += [Depicts(image(reference), who(name), "subject_primary") for name in people]
        with ledger.writing(self.places.vault) as opened:
            ledger.append(opened, found)

    def withdraw(self, name: str, *flags: str) -> "House":
        say("withdraw", name, "--on", "2026-11-03", *flags)
        return self

    def effects(self, **others) -> Effects:
        """Stand-ins that do what the other parts do, as far as it concerns an erasure; a clock that stands still."""
        usual = {
            "replacements": lambda vault, gone: [image("IMG_00005")] if gone else [], "admit": admit, "forget": forget,
            "destroy": destroy, "redact": redact, "would_redact": would_redact, "announce": announce,
            "obstacles": lambda delivery, subject, images: [],
            "now": lambda: NOW,
        }  # fmt: skip
        return Effects(**{**usual, **others})

    def options(self, *also: str) -> Options:
        return Options(REBUILD, tuple(map(Path, also)))


def say(action: str, name: str, *flags: str) -> None:
    cli.main(["consent", action, "--vault", "vault", "--vendor", VENDOR, "--subject", REFERENCES[name], *flags])


def deliver(references: list[str]) -> None:
    """A delivery: its description, and the tables that name people."""
    root = Path("delivery")
    root.mkdir()
    tables = {
        "images.csv": ["image", "file", "sha256", "annotations", "annotations_sha256", "subject", "user_date_captured"],
        "people.csv": ["image", "subject", "is_primary"],
        "subjects.csv": ["subject", "birth_date"],
        "forms.csv": [
            *("form", "kind", "party", "subject", "image", "scopes"),
            *("signed_on", "expires_on", "notice", "file", "sha256"),
        ],
        "annotated.csv": ["image", "subject", "attribute", "annotator"],
        "annotators.csv": ["annotator", "role", "consents"],
    }
    rows = {name: [] for name in tables}
    for reference in references:
        first = REFERENCES[IMAGES[reference][0]]
        rows["images.csv"].append([reference, f"images/{reference}.jpg", sha(reference), "", "", first, "2026-02-03"])
        rows["people.csv"] += [[reference, REFERENCES[name], "true"] for name in IMAGES[reference]]
    rows["subjects.csv"] = [[reference, "1990-05-01"] for reference in REFERENCES.values()]
    for name, columns in tables.items():
        write_csv(root / name, [columns, *rows[name]])
    document = {
        "format": "accord-delivery/1", "vendor": VENDOR, "delivery": DELIVERY, "created": "2026-03-01",
        "contact": "data@acme.example",
        "notices": [{"id": "n1", "version": "1", "language": "en", "sha256": sha("notice")}],
        "tables": {name: sha((root / name).read_text()) for name in tables},
    }  # fmt: skip
    (root / "delivery.yaml").write_text(yaml.safe_dump(document))


def write_csv(path: Path, lines: list[list[str]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def compute(results: Path, references: list[str], version: str) -> None:
    """Results of two shards and a gather, with the provenance that tells what was made from what."""
    for shard in ("00", "01"):
        mine = [reference for reference in references if SHARD[reference] == shard]
        people = [{"image": image(r), "subject": who(name)} for r in mine for name in IMAGES[r]]
        intake, checks = results / "intake" / shard, results / "checks" / shard
        intake.mkdir(parents=True)
        with BundleWriter(intake / "images.tar") as tar:
            members = [tar.add(f"{r}.jpg", r.encode())._asdict() for r in mine]
        named = [{"image": image(r), "subject": who(IMAGES[r][0]), "source": r} for r in mine]
        rows = [{**name, **member} for name, member in zip(named, members, strict=True)]
        write(intake / "people.parquet", people, [], bundle=True)
        write(intake / "images.parquet", rows, [], bundle=True)
        write(checks / "sizes.parquet", [{"size": len(mine)}], [f"results/intake/{shard}/images.tar"])
        decoded = [{"image": image(r)} for r in mine]
        write(checks / "decode.parquet", decoded, [f"results/intake/{shard}/images.parquet"])
    both = [f"results/checks/{shard}/{name}.parquet" for shard in ("00", "01") for name in ("sizes", "decode")]
    write(results / "checks/verdicts.parquet", [{"image": image(r), "verdict": "pass"} for r in references], both)
    told(results / "release/release.json", {"version": version}, ["results/checks/verdicts.parquet"])
    (results / "report").mkdir()
    by = {"step": "report.index", "inputs": {"results/release/release.json": "0" * 64}}
    (results / "report/index.html").write_text(provenance.into_text("<p>a report</p>", by))
    told(results / "consent/inbox.json", {"files": 0}, [])
    (results / "README.md").write_text("What can be computed again.\n")


def write(path: Path, rows: list[dict], inputs: list[str], bundle: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    by = {"step": "a.step", "inputs": dict.fromkeys(inputs, "0" * 64), "outputs": {"bundle": "0"} if bundle else {}}
    made = pa.Table.from_pylist(rows)
    pq.write_table(made.replace_schema_metadata({"provenance": json.dumps(by)}), path)


def told(path: Path, document: dict, inputs: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    by = {"step": "a.step", "inputs": dict.fromkeys(inputs, "0" * 64)}
    path.write_text(json.dumps({**document, "provenance": by}))


def snakemake() -> None:
    """Snakemake's records of all results, and the logs that they name."""
    for path in sorted(path for path in Path("results").rglob("*.*") if path.is_file() and path.suffix != ".md"):
        record = record_of(str(path))
        record.parent.mkdir(parents=True, exist_ok=True)
        job = Path("logs") / path.relative_to("results").with_suffix(".log")
        job.parent.mkdir(parents=True, exist_ok=True)
        job.write_text("done\n")
        record.write_text(json.dumps({"rule": "a_step", "log": [str(job)]}))


def record_of(output: str) -> Path:
    return Path(".snakemake/metadata") / base64.urlsafe_b64encode(output.encode()).decode()


def publish(places: Places, releases: Path, version: str, references: list[str]) -> None:
    """A sealed version; 1.0.0 is in the vault's history."""
    private = versions.private(places.vault, version)
    ids, written = identity.ids(private), tree.Tree(tree.unfinished(releases, version))
    lines = []
    for reference in references:
        name, first = ids.image(image(reference)), ids.subject(who(IMAGES[reference][0]))
        folder = f"data/raw/fhibe_downsampled/{first}/{name}"
        written.write(f"{folder}/main_{name}.png", f"published {sha(reference)} {version}".encode())
        written.write(f"{folder}/main_annos_{name}.json", json.dumps({"image": name}).encode())
        lines.append(f"{name},{first}\n")
    written.write(leaves.TABLES[0], "".join(["image_id,subject_id\n", *lines]).encode())
    written.write("datasheet.md", b"A datasheet.\n")
    sealed = seal.seal(written, {"dataset": "tiny", "version": version}, None, places.vault, private)
    tree.settle(written, releases / version)
    if version == "1.0.0":
        digests = {image(reference): Digests(sha(f"p{reference}"), sha(f"a{reference}")) for reference in references}
        versions.record(places.vault, {"version": version, "fingerprint": "f", **sealed._asdict()}, digests)
        log.append(places.vault, {"kind": "release", "version": version, "root": sealed.root})


def admit(vault: Path, images: list[str]) -> None:
    keep_private(vault / "admitted.json", json.dumps(sorted(images)).encode())


def forget(vault: Path, images: frozenset[str], subjects: frozenset[str]) -> int:
    fallen = 0
    for path in sorted(vault.glob("releases/*/images.json")):
        held = json.loads(path.read_text())
        kept = {name: digests for name, digests in held.items() if name not in images}
        keep_private(path, json.dumps(kept, sort_keys=True).encode())
        fallen += len(held) - len(kept)
    return fallen


def destroy(vault: Path, subject: str) -> bool:
    path = vault / "keys/subjects" / subject
    there = path.is_file()
    path.unlink(missing_ok=True)
    return there


def _falls(row: dict[str, str], subject: str, images: frozenset[str]) -> bool:
    named = "subject" in row and opaque_id(VENDOR, row["subject"]) == subject
    return named or ("image" in row and image(row["image"]) in images)


def _rows(path: Path, subject: str, images: frozenset[str]) -> tuple[list[list[str]], int]:
    header, *lines = list(csv.reader(io.StringIO(path.read_text(), newline="")))
    kept = [line for line in lines if not _falls(dict(zip(header, line, strict=True)), subject, images)]
    return [header, *kept], len(lines) - len(kept)


def would_redact(delivery: Path, subject: str, images: frozenset[str]) -> dict[str, int]:
    return {"rows": sum(_rows(path, subject, images)[1] for path in sorted(delivery.glob("*.csv")))}


def redact(delivery: Path, subject: str, images: frozenset[str]) -> dict[str, int]:
    told = would_redact(delivery, subject, images)
    for path in sorted(delivery.glob("*.csv")):
        kept, _ = _rows(path, subject, images)
        replace(path, "".join(",".join(line) + "\n" for line in kept).encode())
    return told


def announce(vault: Path, folder: Path, version: str, envelope: bytes) -> int:
    keep_private(vault / "outbox" / f"{version}.json", envelope)
    return 1


def copy_house(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True)


@contextmanager
def locked_by_another_process() -> Iterator[None]:
    """In the block, the project is locked as a run locks it."""
    path = run_lock.SNAKEMAKE / run_lock.FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
