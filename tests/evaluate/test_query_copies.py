"""One picture twice in a query counts once: exact and near copies, in whole or by the face; and nobody else's."""

import cv2
import numpy as np
import pandas as pd
import pytest

from accord.engine.table import rows
from accord.evaluate import query_copies
from accord.evaluate.serving import copies
from accord.evaluate.serving.copies import Seen
from accord.evaluate.tables.services import Queries

BOX = np.array([120, 120, 300, 340], float)


@pytest.fixture(scope="module")
def portrait(photo):
    return photo("P001", "studio_portrait")[:480, :480].copy()


def encoded(pixels: np.ndarray, quality: int) -> np.ndarray:
    return cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def versions(whole: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
    """A picture as it may come again, and where its face lies."""
    framed = cv2.copyMakeBorder(whole, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    return {
        "itself": (whole, BOX),
        "recompressed": (encoded(whole, 40), BOX),
        "small": (cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), BOX / 2),
        "cropped": (whole[60:, 60:], BOX - 60),
        "framed": (framed, BOX + 60),
    }


@pytest.mark.parametrize("kind", ["itself", "recompressed", "small", "cropped", "framed"])
def test_a_picture_that_comes_again_is_a_copy(portrait, kind):
    first = copies.seen("i0", portrait, BOX)
    [found] = copies.copies([copies.seen("i1", *versions(portrait)[kind]), first], 31)
    assert (found.image, found.kept) == ("i1", "i0") and found.distance <= 31
    assert found.found_by == ("face" if kind in ("cropped", "framed") else "picture")


def test_other_people_and_a_mirrored_picture_are_not_copies(photo, portrait):
    other = photo("P002", "studio_portrait")[:480, :480]
    mirrored = np.ascontiguousarray(portrait[:, ::-1])
    some = [copies.seen(name, picture, BOX) for name, picture in (("a", portrait), ("b", other), ("c", mirrored))]
    assert list(copies.copies(some, 31)) == []


def test_flat_pictures_are_copies_only_where_all_pixels_are_equal():
    grey, paler = np.full((200, 200, 3), 90, np.uint8), np.full((200, 200, 3), 91, np.uint8)
    some = [copies.seen(name, picture, None) for name, picture in (("a", grey), ("b", grey.copy()), ("c", paler))]
    assert list(copies.copies(some, 31)) == [("b", "a", "picture", 0)]


def test_chains_are_not_followed_and_the_middle_stays():
    """0, 20 and 40 bits: the outer two are copies of the middle one, and not of each other."""
    hashes = [f"{(1 << bits) - 1:064x}" for bits in (0, 20, 40)]
    some = [Seen(name, name, (value, "")) for name, value in zip("abc", hashes, strict=True)]
    assert sorted(copies.copies(some, 20)) == [("a", "b", "picture", 20), ("c", "b", "picture", 20)]
    assert sorted(copies.copies(some[::-1], 20)) == sorted(copies.copies(some, 20))
    assert list(copies.copies(some, 19)) == [] and list(copies.copies([], 31)) == []


def test_copies_of_a_query_go_and_those_of_two_queries_stay(shard_in, tmp_path, portrait):
    shard, shown = shard_in(tmp_path), [("q", "i0"), ("q", "i1"), ("other", "i2")]
    for query, image in shown:
        shard.picture(image, portrait)
        shard.person(image, query, face=(120, 120, 180, 220))
    given = shard.inputs()
    mixed = rows([(query, image, query) for query, image in shown], Queries)
    made = query_copies.run(mixed, given["people"], given["derivatives"], given["files"], max_distance=31)
    assert made.copies.to_numpy().tolist() == [["q", "i1", "i0", "picture", 0]]
    pd.testing.assert_frame_equal(made.queries, mixed[mixed["image"] != "i1"].reset_index(drop=True))
    none = query_copies.run(mixed[:0], given["people"], given["derivatives"], given["files"], max_distance=31)
    assert none.queries.empty and none.copies.empty
