"""Structures of MATLAB files (version 5 to 7): bounded before they are unpacked; objects and functions are refused."""

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from accord.release.archives.reading import Bounded

HEADER, TAG = 128, 8
COMPRESSED = 15
MOST_BYTES = 2**31
STEP = 1 << 20
HINT = "save it with MATLAB's -v7, or use the file as published"


def structure(path: Path, name: str, fields: tuple[str, ...], problems: Bounded) -> dict[str, np.ndarray] | None:
    """The fields of the 1 x 1 structure `name`, each flat and all of one length; None where there are none."""
    if not _is_bounded(path):
        problems.add(str(path), f"is not a MATLAB file of version 5 to 7 within {MOST_BYTES:,} bytes", HINT)
        return None
    found = _loaded(path, name)
    if found is None or found.dtype.names is None or found.shape != (1, 1):
        problems.add(str(path), f"has no structure {name!r}", HINT)
        return None
    if missing := [field for field in fields if field not in found.dtype.names]:
        problems.add(str(path), f"{name} lacks the fields {', '.join(missing)}", HINT)
        return None
    flat = {field: np.asarray(found[0, 0][field]).ravel() for field in found.dtype.names if field.isidentifier()}
    if len({len(flat[field]) for field in fields}) > 1:
        problems.add(str(path), f"the fields of {name} differ in length", HINT)
        return None
    return flat


def _loaded(path: Path, name: str) -> np.ndarray | None:
    from scipy.io import loadmat

    try:
        return loadmat(path, variable_names=[name], appendmat=False, verify_compressed_data_integrity=True).get(name)
    except Exception:
        # scipy raises a dozen kinds of exceptions on broken files; their texts can quote the file.
        return None


def _is_bounded(path: Path) -> bool:
    """Whether a file is of version 5 to 7, and stays within bounds when its parts are unpacked: none is kept."""
    size, total = path.stat().st_size, 0
    with path.open("rb") as file:
        header = file.read(HEADER)
        order = {b"IM": "<", b"MI": ">"}.get(header[126:128])
        if order is None or not any(header[:4]) or struct.unpack(f"{order}H", header[124:126])[0] != 0x0100:
            return False
        while file.tell() + TAG <= size:
            kind, length = struct.unpack(f"{order}II", file.read(TAG))
            end = file.tell() + length
            total += _unpacked(file, length, MOST_BYTES - total) if kind == COMPRESSED else length
            if total > MOST_BYTES or end > size:
                return False
            file.seek(end)
    return True


def _unpacked(file: Any, length: int, most: int) -> int:
    """Bytes of a compressed part, counted up to a bit over `most`."""
    engine, count = zlib.decompressobj(), 0
    while length > 0 and count <= most:
        data = file.read(min(length, STEP))
        length -= len(data) or length
        try:
            while data and count <= most:
                count += len(engine.decompress(data, STEP))
                data = engine.unconsumed_tail
        except zlib.error:
            return most + 1
    return count
