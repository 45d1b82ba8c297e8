"""Attacks on a delivery: each changes its files the way a careless or a hostile vendor might.

`attack(rng, maker)` makes one to four of them and writes the delivery; the same generator makes the same attacks.
Digests are mostly brought up to date, so that attacks get past them. What must not become known carries CANARY; what
lies outside of the delivery and must not be read carries SECRET.
"""

import io
import json
import os
import struct
import zlib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import yaml
from PIL import Image

CANARY = "canary7f3a"
SECRET = b"secret-outside-the-delivery-91c2"
OUTSIDE = "outside.txt"

CELLS = (
    *(
        f"../{OUTSIDE}",
        f"../../{OUTSIDE}",
        "/etc/passwd",
        "images/../../outside.txt",
        "..\\outside.txt",
        "images//x",
        ".",
    ),
    *("=cmd|'/C calc'!A0", '=HYPERLINK("x")', "+1+1", "-2+3", "@SUM(1)", "\t=1", f"={CANARY}"),
    *("", " ", "nan", "NaN", "inf", "-1", "1e400", "9" * 300, "0x10", "True", "None", "null", "1,5", "٣٥", "½"),
    *("9999-12-31", "0000-00-00", "2026-02-30", "2026-2-3", "25:61", "T", "2026-01-01T00:00:00Z"),
    *(
        "\u202egnp.exe",
        "a\u200bb",
        "\ufeffann",
        "e\u0301",
        "🧑🏿‍🦽",
        "ａｎｎ",
        "Ann",
        "\u0000",
        "a\nb",
        "a\rb",
        '"',
        "'",
        "|",
        "|" * 500,
    ),
    *(
        f"{CANARY}@example.org",
        "{{7*7}}",
        "${HOME}",
        "%s%n",
        "<script>alert(1)</script>",
        "; rm -rf .",
        "x" * 9_999,
        "x" * 10_001,
    ),
)
RAW = (
    b"",
    b"\n",
    b"\xff\xfe\x00",
    "image,subject\n".encode("utf-16"),
    b'"',
    b"a" * 200_000,
    b"image,image\n1,2\n",
    b"\x00" * 64,
    b"PK\x03\x04",
    b"\xef\xbb\xbf",
    b",,,,\n" * 1_000,
    b"%PDF-1.7",
)
VALUES = (
    None,
    True,
    -1,
    0,
    10**30,
    1e308,
    "",
    "x",
    [],
    {},
    [[]],
    [None] * 5,
    {"x": "1"},
    "NaN",
    [1, 2, 3, "4"],
    CANARY,
    [[0, 0], [1, 1]],
    [[1e7, 0], [0, 1e7], [0, 0]],
    {"0. Nose": [1, 2]},
    "\ud800",
)


def attack(rng: np.random.Generator, maker) -> list[str]:
    """Attack a delivery that isn't written yet, and write it; returns the names of the attacks."""
    chosen = [ATTACKS[i] for i in rng.integers(len(ATTACKS), size=int(rng.integers(1, 5)))]
    for one in chosen:
        if one in BEFORE:
            one(rng, maker)
    if rng.random() < 0.8:
        _resign(maker)
    maker.write()
    for one in AFTER:
        if one in chosen:
            one(rng, maker)
    return [one.__name__ for one in chosen]


def _cell(rng, maker) -> None:
    """Any cell holds anything."""
    for _ in range(int(rng.integers(1, 6))):
        rows = maker.tables[_pick(rng, sorted(maker.tables))]
        if rows:
            row = rows[int(rng.integers(len(rows)))]
            row[_pick(rng, sorted(row))] = _pick(rng, CELLS)


def _rows(rng, maker) -> None:
    """Rows come twice, a thousand times, or not at all."""
    rows = maker.tables[_pick(rng, sorted(maker.tables))]
    if not rows:
        return
    row = rows[int(rng.integers(len(rows)))]
    how = int(rng.integers(3))
    if how == 0:
        rows.remove(row)
    elif how == 1:
        rows.append(dict(row))
    else:
        key = next(iter(row))
        rows.extend({**row, key: f"{row[key]}-{number}"} for number in range(1_000))


def _columns(rng, maker) -> None:
    """A column too many, or one that is called otherwise."""
    rows = maker.tables[_pick(rng, sorted(maker.tables))]
    for row in rows:
        row[_pick(rng, ("extra", CANARY, "", "__proto__", "image "))] = "1"


def _annotation(rng, maker) -> None:
    """Anything in place of anything in an annotation file."""
    path = _pick(rng, sorted(name for name in maker.files if name.startswith("annotations/")))
    try:
        document = json.loads(maker.files[path])
    except (ValueError, RecursionError):
        return
    for _ in range(int(rng.integers(1, 4))):
        place = document
        while isinstance(place, dict | list) and place:
            key = _pick(rng, list(place)) if isinstance(place, dict) else int(rng.integers(len(place)))
            if rng.random() < 0.4 or not isinstance(place[key], dict | list) or not place[key]:
                place[key] = deepcopy(_pick(rng, VALUES))
                break
            place = place[key]
    maker.files[path] = json.dumps(document).encode()


def _annotation_bytes(rng, maker) -> None:
    """An annotation file that is no JSON, or JSON that hurts."""
    path = _pick(rng, sorted(name for name in maker.files if name.startswith("annotations/")))
    deep = b'{"image":' + b"[" * 100_000
    maker.files[path] = _pick(rng, (*RAW, deep, b"[" * 50_000 + b"]" * 50_000, b'{"image": NaN}', b"1" * 5_000))


def _picture(rng, maker) -> None:
    """A picture that isn't one, is damaged, or is far larger than its file."""
    path = _pick(rng, sorted(name for name in maker.files if name.startswith("images/")))
    maker.files[path] = _pick(rng, PICTURES)(rng, maker.files[path])


def _file(rng, maker) -> None:
    """A form, notice or picture with other content."""
    path = _pick(rng, sorted(maker.files))
    maker.files[path] = _pick(rng, RAW)


def _about(rng, maker) -> None:
    """Anything in delivery.yaml."""
    key = _pick(rng, sorted(maker.about))
    maker.about[key] = _pick(rng, (*CELLS[:20], None, 1, [], {}, [1], "2026-03-01", ["a"] * 50))


def _description(rng, maker) -> None:
    """A delivery.yaml that is none, or one that hurts."""
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    texts = (
        laughs, "!!python/object/apply:os.system ['touch owned']", "[" * 5_000, "a: b: c", "\x00", "{}",
        "- 1\n" * 9_999, f"format: {CANARY}", "<<: *x", "&a [*a]", "vendor: \"\\ud800\"",
    )  # fmt: skip
    path = maker.root / "delivery.yaml"
    if path.is_symlink() or not path.is_file():
        return
    path.write_bytes(_pick(rng, texts).encode("utf-8", "surrogatepass"))


def _table_bytes(rng, maker) -> None:
    """A table that is no CSV, with its digest in order."""
    name = _pick(rng, sorted(maker.tables))
    data = bytearray((maker.root / name).read_bytes())
    if rng.random() < 0.5 and data:
        for place in rng.integers(len(data), size=8):
            data[place] = int(rng.integers(256))
    else:
        data = bytearray(_pick(rng, RAW))
    (maker.root / name).write_bytes(data)
    _sign_table(maker, name, bytes(data))


def _special(rng, maker) -> None:
    """A link, a pipe or a folder where a file should be."""
    files = sorted(path for path in maker.root.rglob("*") if path.is_file() and not path.is_symlink())
    path = _pick(rng, files)
    path.unlink()
    how = int(rng.integers(5))
    if how == 0:
        path.symlink_to(maker.root.parent / OUTSIDE)
    elif how == 1:
        path.symlink_to(path.name)
    elif how == 2:
        os.mkfifo(path)
    elif how == 3:
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")


def _linked_folder(rng, maker) -> None:
    """A folder of the delivery is a link to elsewhere."""
    folder = maker.root / _pick(rng, ("images", "annotations", "forms", "notices"))
    if not folder.is_symlink() and folder.is_dir():
        folder.rename(folder.with_name(f"{folder.name}-kept"))
        folder.symlink_to(maker.root.parent)


BEFORE: tuple[Callable, ...] = (
    _cell,
    _cell,
    _rows,
    _columns,
    _annotation,
    _annotation_bytes,
    _picture,
    _picture,
    _file,
    _about,
)
AFTER: tuple[Callable, ...] = (_table_bytes, _special, _linked_folder, _description)
ATTACKS = (*BEFORE, *AFTER)


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG whose header says a size, with one row of data and further chunks."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(height, 4096) * (1 + min(width, 4096) // 8)))
    parts = ((b"IHDR", header), *chunks, (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _text_bomb(rng, data: bytes) -> bytes:
    return png(64, 48, (b"zTXt", b"k\0\0" + zlib.compress(bytes(100_000_000), 9)))


def _profile_bomb(rng, data: bytes) -> bytes:
    return png(64, 48, (b"iCCP", b"k\0\0" + zlib.compress(bytes(100_000_000), 9)))


def _huge(rng, data: bytes) -> bytes:
    return png(*_pick(rng, ((65_535, 65_535), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1), (14_000, 14_000), (0, 5))))


def _cut(rng, data: bytes) -> bytes:
    return data[: int(rng.integers(len(data)))]


def _flipped(rng, data: bytes) -> bytes:
    changed = bytearray(data)
    for place in rng.integers(len(data), size=int(rng.integers(1, 30))):
        changed[place] = int(rng.integers(256))
    return bytes(changed)


def _other_format(rng, data: bytes) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (30, 20)).save(buffer, _pick(rng, ("GIF", "BMP", "TIFF", "WEBP", "PPM", "ICO")))
    return buffer.getvalue()


def _other_mode(rng, data: bytes) -> bytes:
    buffer = io.BytesIO()
    mode, kind = _pick(
        rng, (("CMYK", "JPEG"), ("L", "JPEG"), ("1", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("I;16", "PNG"))
    )
    Image.new(mode, (64, 48)).save(buffer, kind)
    return buffer.getvalue()


def _exif_junk(rng, data: bytes) -> bytes:
    block = b"Exif\0\0" + _pick(rng, (b"II*\0", b"MM\0*")) + rng.bytes(int(rng.integers(4, 2_000)))
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:]


def _segments(rng, data: bytes) -> bytes:
    """Comments without end, more EXIF than one segment holds, empty scans, or EXIF whose values overlap."""
    entries = b"".join(struct.pack("<HHII", 1000 + n, 3, 16_000, 30_000) for n in range(2_000))
    overlapping = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 2_000) + entries + bytes(36_000)
    head, scans = _pick(rng, (
        (_segment(0xFE) * 500_000, b""), (_segment(0xE1, b"Exif\0\0II*\0".ljust(60_000, b"\0")) * 300, b""),
        (_segment(0xE1, overlapping), b""), (b"", _segment(0xDA, bytes((1, 1, 0, 1, 1, 0))) * 10_000),
    ))  # fmt: skip
    return data[:2] + head + data[2:-2] + scans + data[-2:]


def _segment(marker: int, content: bytes = b"") -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(content) + 2) + content


def _profile(rng, data: bytes) -> bytes:
    """A colour profile that is none, or huge."""
    buffer = io.BytesIO()
    profile = _pick(rng, (rng.bytes(300), bytes(6_000_000), CANARY.encode()))
    Image.new("RGB", (64, 48)).save(buffer, "JPEG", icc_profile=profile)
    return buffer.getvalue()


def _several(rng, data: bytes) -> bytes:
    """More pictures than one: in a JPEG (MPO), or moving in a PNG."""
    buffer = io.BytesIO()
    kind = _pick(rng, ("MPO", "PNG"))
    Image.new("RGB", (64, 48)).save(buffer, kind, save_all=True, append_images=[Image.new("RGB", (64, 48), "red")])
    return buffer.getvalue()


def _script(rng, data: bytes) -> bytes:
    return _pick(rng, (f"<svg onload='{CANARY}'/>".encode(), b"#!/bin/sh\n", b"<?php ?>", b"%!PS\n", b"\x7fELF"))


PICTURES = (
    *(_text_bomb, _profile_bomb, _huge, _cut, _flipped, _flipped, _other_format, _other_mode, _exif_junk, _script),
    *(_segments, _segments, _profile, _several),
)


def _resign(maker) -> None:
    """Digests in the rows are worked out from what is written."""
    for row in maker.tables["images.csv"]:
        row.pop("sha256", None)
        row.pop("annotations_sha256", None)


def _sign_table(maker, name: str, data: bytes) -> None:
    from intake_cases import sha256

    if (maker.root / "delivery.yaml").is_symlink():
        return
    try:
        document = yaml.safe_load((maker.root / "delivery.yaml").read_text())
        document["tables"][name] = sha256(data)
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError):
        return
    (maker.root / "delivery.yaml").write_text(yaml.safe_dump(document))


def _pick(rng, options):
    return options[int(rng.integers(len(options)))]


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder: path -> content, target of a link, or kind."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = path.read_bytes() if path.is_file() else "folder" if path.is_dir() else "special"
    return found
