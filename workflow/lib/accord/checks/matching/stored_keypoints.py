"""Keypoints of more pictures than memory holds, in a file without a name.

Tables can't be read at any row, and each picture is in several pairs. So the keypoints that are needed are copied
once, and read from there as pairs ask for them. The file is gone with the process, however that ends.
"""

import os
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from accord.checks.matching.keypoints import LENGTH, Keypoints, unpacked
from accord.checks.matching.stored_looks import Table, opened_looks
from accord.engine.table_files import Unsound, readable
from accord.files import temporary

ROWS = 500
"""Rows of a table that are in memory at once."""
COLUMNS = ["points", "descriptors", "luma", "luma_width", "luma_scale"]
RECORD = np.dtype([("start", "i8"), ("points", "i4"), ("height", "i4"), ("width", "i4"), ("scale", "f8")])
"""Where the keypoints of a picture begin in the file, how many they are, and the size and scale of its luma."""
REAL = np.dtype("<f4")


class Store:
    """Keypoints of pictures by their positions."""

    def __init__(self, pictures: int) -> None:
        self._file = temporary()
        self._records = np.zeros(pictures, RECORD)

    def add(self, place: int, made: Keypoints) -> None:
        """Append those of a picture."""
        self._records[place] = (self._file.tell(), len(made.points), *made.luma.shape, made.scale)
        parts = made.points, made.per_length, made.descriptors, made.luma
        self._file.write(b"".join(np.ascontiguousarray(part).data for part in parts))

    def get(self, places: np.ndarray) -> dict[int, Keypoints]:
        """Those of some pictures, read in the order in which they lie."""
        self._file.flush()
        ordered = places[np.argsort(self._records["start"][places])].tolist()
        return dict(zip(ordered, map(self._one, self._records[ordered].tolist()), strict=True))

    def _one(self, record: tuple[int, int, int, int, float]) -> Keypoints:
        start, count, height, width, scale = record
        many = 2 * count, count * LENGTH
        read = os.pread(self._file.fileno(), 3 * count * REAL.itemsize + many[1] + height * width, start)
        reals = np.frombuffer(read, REAL, 3 * count)
        whole = np.frombuffer(read, np.uint8, offset=reals.nbytes)
        points, per_length = reals[: many[0]].reshape(count, 2), reals[many[0] :]
        descriptors, luma = whole[: many[1]].reshape(count, LENGTH), whole[many[1] :].reshape(height, width)
        return Keypoints(points, descriptors, luma, scale, per_length)

    def close(self) -> None:
        """Give the file up."""
        self._file.close()


def keypoints_of(table: Table, wanted: np.ndarray) -> Iterator[tuple[int, Keypoints]]:
    """The positions of the wanted pictures of a table, and their keypoints, in the order of rows."""
    mine = table.places >= 0
    mine[mine] = wanted[table.places[mine]]
    start = 0
    with readable(table.path):
        for batch in opened_looks(table.path, COLUMNS).iter_batches(ROWS, columns=COLUMNS) if mine.any() else ():
            some = mine[start : start + len(batch)]
            places = table.places[start : start + len(batch)][some].tolist()
            start += len(batch)
            held = batch.select(COLUMNS).filter(pa.array(some))
            if any(column.null_count for column in held.columns):
                raise Unsound("a picture lacks some of its keypoints")
            yield from zip(places, map(unpacked, held.to_pandas().itertuples()), strict=True)
