"""Ways to tamper with what is published."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

from tampers import Told, flip, lines, one, other_key, picture, published, release, tampering, write

from accord.engine import provenance
from accord.release.erasing import prune
from accord.release.seal import leaves, revocations, seal
from accord.sealing import canonical, dsse, merkle, signing


@tampering("release: a bit of a picture flipped")
def _(rng: Random) -> Told:
    return flip(picture(rng), rng)


@tampering("release: a bit of an annotation or a mask flipped")
def _(rng: Random) -> Told:
    flip(one(rng, f"releases/*/data/{rng.choice(['raw/**/*.json', 'processed/**/*.png'])}"), rng)
    return published()


@tampering("release: a bit of a table flipped")
def _(rng: Random) -> Told:
    flip(one(rng, "releases/*/data/**/*.csv"), rng)
    return published()


@tampering("release: a row of a table taken out")
def _(rng: Random) -> Told:
    path = one(rng, "releases/*/data/processed/**/*.csv")
    rows = list(leaves.rows(path))
    rows.pop(rng.randrange(len(rows)))
    write(path, b"".join(rows))
    return published()


@tampering("release: two rows of a table exchanged")
def _(rng: Random) -> Told:
    path = one(rng, "releases/*/data/processed/fhibe_downsampled/*.csv")
    rows = list(leaves.rows(path))
    left, right = rng.sample(range(1, len(rows)), 2)
    rows[left], rows[right] = rows[right], rows[left]
    write(path, b"".join(rows))
    return published()


@tampering("release: a bit of the leaves flipped")
def _(rng: Random) -> Told:
    flip(release() / leaves.NAME, rng)
    return published()


@tampering("release: a bit of the manifest flipped")
def _(rng: Random) -> Told:
    flip(release() / "manifest.jsonl", rng)
    return published()


@tampering("release: a bit of the signed envelope flipped")
def _(rng: Random) -> Told:
    flip(release() / seal.ENVELOPE, rng)
    return published()


@tampering("release: another public key put in")
def _(rng: Random) -> Told:
    write(release() / seal.PUBLIC_KEY, signing.public_text(other_key().public_key()))
    return published()


@tampering("release: terms or datasheet edited")
def _(rng: Random) -> Told:
    path = release() / rng.choice(["terms.txt", "datasheet.md"])
    write(path, path.read_bytes() + b"Anything goes.\n")
    return published()


@tampering("release: a leaf taken out")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    found.pop(rng.randrange(len(found)))
    write(release() / leaves.NAME, b"".join(found))
    return published()


@tampering("release: a leaf put in twice")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    found.insert(rng.randrange(len(found)), rng.choice(found))
    write(release() / leaves.NAME, b"".join(found))
    return published()


@tampering("release: two leaves exchanged")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    left, right = rng.sample(range(len(found)), 2)
    found[left], found[right] = found[right], found[left]
    write(release() / leaves.NAME, b"".join(found))
    return published()


@tampering("release: a tombstone forged over a leaf")
def _(rng: Random) -> Told:
    found = lines(release() / leaves.NAME)
    number = rng.randrange(len(found))
    leaf = leaves.parse(found[number].rstrip(b"\n"))
    found[number] = leaves.tombstone(leaf, hashlib.sha256(b"receipt").hexdigest())
    write(release() / leaves.NAME, b"".join(found))
    if "row" not in leaf.record:
        (release() / leaf.record["path"]).unlink()
    return published()


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
    return published()


@tampering("release: the revocation of an erased picture taken out")
def _(rng: Random) -> Told:
    pruned(rng)
    (release() / revocations.NAME).unlink()
    return published()


@tampering("release: a file taken out")
def _(rng: Random) -> Told:
    one(rng, "releases/*/data/**/*.*").unlink()
    return published()


@tampering("release: two pictures exchanged")
def _(rng: Random) -> Told:
    left, right = rng.sample(sorted(Path().glob("releases/*/data/raw/**/main_*.png")), 2)
    data = left.read_bytes()
    write(left, right.read_bytes())
    write(right, data)
    return published() if left.read_bytes() != right.read_bytes() else None


@tampering("release: a file added")
def _(rng: Random) -> Told:
    (one(rng, "releases/*/data/**/*.png").parent / "more.png").write_bytes(b"more")
    return published()


@tampering("release: a link in place of a file")
def _(rng: Random) -> Told:
    path = picture(rng)
    kept = Path("kept.png").resolve()
    path.rename(kept)
    path.symlink_to(kept)
    return published()


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
    return published()


@tampering("release: the publisher's key used for another root, past the log")
def _(rng: Random) -> Told:
    digest = hashlib.sha256(rng.randbytes(8)).hexdigest()
    resign(release(), lambda told: told.update(root=digest), signing.signing_key(Path("vault")))
    return published()
