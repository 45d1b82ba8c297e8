"""Pictures in batches: decoded ahead, one batch at most, like sizes together, the first error in its place."""

import threading
import time

import numpy as np
import pandas as pd
import pytest

from accord.errors import AccordError
from accord.evaluate.asking import pictures


def rows_of(sizes) -> pd.DataFrame:
    return pd.DataFrame([(n, h, w) for n, (h, w) in enumerate(sizes)], columns=["image", "height", "width"])


def numbers(batches) -> list[list[int]]:
    return [[row.image for row in some] for some, _ in batches]


@pytest.fixture
def decoding(monkeypatch):
    """Decoding that counts: which rows were begun, and how many at once."""

    class Decoding:
        begun, fail = [], set()
        lock = threading.Lock()

        def __call__(self, files, row):
            with self.lock:
                self.begun.append(row.image)
            if row.image in self.fail:
                raise AccordError(f"picture {row.image}")
            return np.full((row.height, row.width, 3), row.image, np.uint8)

    made = Decoding()
    made.begun, made.fail = [], set()
    monkeypatch.setattr(pictures, "_decoded", made)
    return made


def test_pictures_of_one_size_come_together_and_else_in_their_order(decoding, tmp_path):
    tall, wide = (4, 3), (3, 4)
    found = list(pictures.stream(tmp_path, rows_of([tall, wide, wide, tall, tall, (3, 2)]), 2))
    assert numbers(found) == [[5, 1], [2, 0], [3, 4]]
    for some, images in found:
        assert [image[0, 0, 0] for image in images] == [row.image for row in some]
        assert [image.shape[:2] for image in images] == [(row.height, row.width) for row in some]


def begun(decoding, count: int) -> list[int]:
    """The rows whose decoding was begun once there are `count` of them, and a while later."""
    end = time.monotonic() + 10
    while len(decoding.begun) < count and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(0.02)
    return sorted(decoding.begun)


def test_one_batch_is_decoded_while_the_caller_has_another_and_no_more(decoding, tmp_path):
    batches = pictures.stream(tmp_path, rows_of([(2, 2)] * 10), 2)
    next(batches)
    assert begun(decoding, 4) == [0, 1, 2, 3]
    next(batches)
    assert begun(decoding, 6) == [0, 1, 2, 3, 4, 5]
    batches.close()
    assert [t.name for t in threading.enumerate() if t.name.startswith("decode")] == []


@pytest.mark.parametrize("threads", [1, 4])
def test_an_error_comes_in_the_place_of_its_batch(decoding, tmp_path, monkeypatch, threads):
    monkeypatch.setattr(pictures, "threads", lambda size: threads)
    decoding.fail = {3, 5}
    seen = []
    with pytest.raises(AccordError, match="picture 3"):
        for some, _ in pictures.stream(tmp_path, rows_of([(2, 2)] * 8), 2):
            seen += [row.image for row in some]
    assert seen == [0, 1]
    assert [t.name for t in threading.enumerate() if t.name.startswith("decode")] == []


def test_without_pictures_there_is_no_batch(tmp_path):
    assert list(pictures.stream(tmp_path, rows_of([]), 3)) == []


def test_there_are_no_more_threads_than_processors_and_pictures(monkeypatch):
    monkeypatch.setattr(pictures.os, "sched_getaffinity", lambda _: set(range(6)))
    assert [pictures.threads(size) for size in (1, 4, 64)] == [1, 4, 6]
    monkeypatch.setattr(pictures.os, "sched_getaffinity", lambda _: set(range(200)))
    assert pictures.threads(64) == pictures.MOST_THREADS
