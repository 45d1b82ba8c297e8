"""Leaks that are planted on purpose, so that what the scan finds is a figure: texts and digests."""

import base64
import bz2
import gzip
import io
import json
import lzma
import sqlite3
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import numpy as np

from accord.scan.dossier import FILE, IMAGE, REFERENCE, RELEASED, SUBJECT, Dossier, Value
from accord.scan.pictures import print_of


class Person(NamedTuple):
    """A made-up person: their ids, a picture (height, width, 3) uint8 RGB, a file's sha256, a unit embedding."""

    reference: str
    subject: str
    image: str
    released: str
    sha256: str
    pixels: np.ndarray
    vector: np.ndarray

    def dossier(self) -> Dossier:
        """What is known of them."""
        texts = {REFERENCE: self.reference, SUBJECT: self.subject, IMAGE: self.image, RELEASED: self.released}
        values = frozenset(Value(kind, text) for kind, text in {**texts, FILE: self.sha256}.items())
        return Dossier(values, (print_of(self.pixels),), {len(self.vector): self.vector[None]})


Plant = Callable[[Person, Path, np.random.Generator], None]
"""Writes one leak to a path that does not exist yet."""


def text(person: Person, path: Path, rng: np.random.Generator) -> None:
    noise = rng.integers(10**9, size=200)
    lines = [f"image {number:08x} done" for number in noise] + [f"WARNING {person.reference}: no face"]
    path.write_text("\n".join(rng.permutation(lines)))


def upper_case(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(json.dumps({"digest": person.sha256.upper()}))


def url(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(f"GET /images?of={quote(person.reference, safe='')}&page=%20{person.image}")


def base64_text(person: Person, path: Path, rng: np.random.Generator) -> None:
    before = bytes(rng.integers(97, 122, int(rng.integers(7)), dtype=np.uint8))
    path.write_text(f"token={base64.b64encode(before + b' ' + person.subject.encode() + b' x').decode()}")


def hex_text(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(f"x'{person.reference.encode().hex()}'")


def utf_16(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(f"id;name\n1;{person.reference}\n", encoding="utf-16")


def raw_digest(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.write_bytes(rng.bytes(5_001) + bytes.fromhex(person.sha256) + rng.bytes(700))


def digest_in_base64(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(f"sha256-{base64.b64encode(bytes.fromhex(person.sha256)).decode()}")


def file_name(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.mkdir()
    (path / f"{person.released}_mask.png").write_bytes(rng.bytes(50))


def folder_name(person: Person, path: Path, _: np.random.Generator) -> None:
    (path / person.image / "empty").mkdir(parents=True)


def link(person: Person, path: Path, _: np.random.Generator) -> None:
    path.symlink_to(f"/nowhere/{person.subject}/picture.png")


def snakemake_record(person: Person, path: Path, _: np.random.Generator) -> None:
    path.mkdir()
    name = base64.b64encode(f"results/crops/{person.reference}.png".encode(), altchars=b"-_").decode()
    (path / name).write_text("{}")


def compressed(person: Person, path: Path, rng: np.random.Generator) -> None:
    import pyarrow

    codec = pyarrow.Codec("zstd")
    pack = [gzip.compress, bz2.compress, lzma.compress, zlib.compress, lambda d: codec.compress(d, asbytes=True)]
    path.write_bytes(pack[rng.integers(len(pack))](rng.bytes(3_000) + f" {person.reference} ".encode()))


def nested(person: Person, path: Path, rng: np.random.Generator) -> None:
    data = f"subject,{person.subject}\n".encode()
    for _ in range(4):
        data = (_zip, _tar, gzip.compress)[rng.integers(3)](data)
    path.write_bytes(_zip(data))


def parquet(person: Person, path: Path, rng: np.random.Generator) -> None:
    import pyarrow
    import pyarrow.parquet as pq

    names = [f"IMG_{number:09}" for number in rng.integers(10**9, size=500)] + [person.reference]
    nested_ = [{"ids": [name, "x"]} for name in names]
    column = [names, nested_, [name.encode() for name in names]][rng.integers(3)]
    pq.write_table(pyarrow.table({"image": column}), path, compression="zstd")


def database(person: Person, path: Path, rng: np.random.Generator) -> None:
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute('CREATE TABLE "odd ""name""" (a TEXT)')
        long = "x" * int(rng.integers(3_000, 20_000))
        opened.execute('INSERT INTO "odd ""name""" VALUES (?)', [f"{long} {person.sha256} {long}"])


def deleted_row(person: Person, path: Path, _: np.random.Generator) -> None:
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA secure_delete = OFF")
        opened.execute("CREATE TABLE t (a TEXT, b TEXT, c TEXT)")
        rows = [("acme", "x" * 500, "Egypt"), ("acme", person.reference, "Egypt"), ("acme", "y" * 500, "Peru")]
        opened.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        opened.commit()
        opened.execute("DELETE FROM t")
        opened.commit()


def pdf(person: Person, path: Path, _: np.random.Generator) -> None:
    stream = zlib.compress(f"BT ({person.reference}) Tj ET".encode())
    head = f"%PDF-1.4\n1 0 obj <</Length {len(stream)} /Filter /FlateDecode>>\nstream\n".encode()
    path.write_bytes(head + stream + b"\nendstream endobj\n%%EOF")


def git_lost(person: Person, path: Path, _: np.random.Generator) -> None:
    _git(path, "init", "-q")
    _git(path, "hash-object", "-w", "--stdin", feed=f"id: {person.image}\n".encode())


def git_packed(person: Person, path: Path, _: np.random.Generator) -> None:
    _git(path, "init", "-q")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0"]
    _git(path, *who, "commit", "-q", "--allow-empty", "-m", f"Drop {person.reference} again")
    _git(path, "repack", "-a", "-d", "-q")


def picture_text(person: Person, path: Path, rng: np.random.Generator) -> None:
    from PIL import Image, PngImagePlugin

    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", f"of {person.reference}", zip=True)
    Image.fromarray(rng.integers(256, size=(40, 40, 3), dtype=np.uint8)).save(path, "PNG", pnginfo=info)


TEXTS: dict[str, Plant] = {
    plant.__name__: plant
    for plant in (
        text, upper_case, url, base64_text, hex_text, utf_16, raw_digest, digest_in_base64, file_name, folder_name,
        link, snakemake_record, compressed, nested, parquet, database, deleted_row, pdf, git_lost, git_packed,
        picture_text,
    )
}  # fmt: skip
"""Leaks that must always be found."""


def _zip(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", data)
    return buffer.getvalue()


def _tar(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("b")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _git(path: Path, *what: str, feed: bytes = b"") -> None:
    path.mkdir(exist_ok=True)
    subprocess.run(["git", "-C", str(path), *what], input=feed, check=True, stdout=subprocess.DEVNULL)
