"""Pictures cut out of others and pasted into others: found, and only these."""

import shutil

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accord.checks import crops
from accord.checks.crops import run
from accord.checks.matching import looks as looks_module
from accord.checks.matching import stored_keypoints, verified
from accord.checks.matching.between_kept import between_kept, untried
from accord.checks.matching.in_place import FEW, same_in_place
from accord.checks.matching.keypoints import keypoints, packed, those, unpacked
from accord.checks.matching.looks import likely_pairs, read_regions, regions
from accord.checks.matching.matches import match
from accord.checks.tables.findings import Findings, Looks, Pairs
from accord.engine import table
from accord.errors import AccordError
from accord.imaging.decode import decode
from accord.imaging.fingerprint import fingerprint, thumbnail

LIMITS = {"min_inliers": 15, "min_correlation": 0.9, "all_pairs_up_to": 12_000}
EACH = ("points", "descriptors", "per_length")
"""What a keypoint has."""


@pytest.fixture
def photo(photo):
    """A picture full of things with corners."""

    def make(seed, width=480, height=360):
        pixels, rng = photo(seed, width, height), np.random.default_rng(seed)
        for _ in range(120):
            x, y, side = rng.integers(0, width), rng.integers(0, height), rng.integers(6, 40)
            colour = tuple(map(int, rng.integers(0, 256, 3)))
            if rng.random() < 0.5:
                cv2.rectangle(pixels, (x, y), (x + side, y + side // 2 + 3), colour, -1)
            else:
                cv2.circle(pixels, (x, y), side // 2, colour, -1)
        return pixels

    return make


def cut(pixels, share):
    """The middle of a picture."""
    height, width = pixels.shape[:2]
    y, x = round(height * (1 - share) / 2), round(width * (1 - share) / 2)
    return np.ascontiguousarray(pixels[y : height - y, x : width - x])


def pasted(pixels, ground, share):
    """A picture, `share` as large, in the lower right corner of another."""
    made = ground.copy()
    small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    made[-small.shape[0] - 9 : -9, -small.shape[1] - 9 : -9] = small
    return made


@pytest.fixture
def tables(images, prints, tmp_path):
    """Arguments of the step, from image -> picture; as look stands a coarse picture of each region."""

    def make(pictures, **columns):
        rows = [{"image": name, **fingerprint(pixels)._asdict()} for name, pixels in pictures.items()]
        rows = [{**row, **columns.get(row["image"], {})} for row in rows]
        seen = [
            {"image": name, "subject": "s1", "vector": regions(coarse(pixels)).ravel(),
             **packed(keypoints(thumbnail(pixels)))}
            for name, pixels in pictures.items()
        ]  # fmt: skip
        table.write(table.rows(seen, Looks), Looks, tmp_path / "looks.parquet")
        empty = {"findings": table.empty(Findings), "pairs": table.empty(Pairs)}
        known = images(*({"image": name, **columns.get(name, {})} for name in pictures))
        return {"images": known, "fingerprints": prints(*rows), "looks": [tmp_path / "looks.parquet"], **empty}

    return make


def coarse(pixels):
    """(64 * 3, 7, 7): histograms of colours, 8 x 8 px per cell, in place of a network's feature maps."""
    small = cv2.resize(pixels, (56, 56), interpolation=cv2.INTER_AREA).reshape(7, 8, 7, 8, 3)
    bins = (small // 8).transpose(4, 0, 2, 1, 3).reshape(3, 7, 7, 64)
    counted = np.stack([(bins == level).sum(axis=-1) for level in range(32)], axis=1)
    return counted.reshape(-1, 7, 7).astype(np.float32)


def inliers(left, right):
    return match(keypoints(thumbnail(left)), keypoints(thumbnail(right)), 4)


@pytest.mark.parametrize("share", [0.95, 0.7, 0.5])
def test_a_crop_lies_in_its_picture(photo, share):
    made = inliers(cut(photo(1), share), photo(1))
    assert made.inliers >= 15
    assert made.correlation > 0.95


def test_a_picture_in_a_picture_is_seen(photo):
    made = inliers(photo(1), pasted(photo(1), photo(2), 0.6))
    assert made.inliers >= 15
    assert made.correlation > 0.95


def test_unrelated_pictures_share_no_place(photo):
    assert max(inliers(photo(seed), photo(seed + 1)).inliers for seed in range(10, 16)) <= 7


def test_a_shared_corner_is_not_the_same_picture(photo):
    """Two pictures with one logo: its keypoints agree, the pixels around it don't."""
    logo = photo(5)[:150, :200]
    one, other = photo(1), photo(2)
    one[50:200, 50:250] = other[200:350, 250:450] = logo
    made = inliers(one, other)
    assert made.inliers >= 15
    assert made.correlation < 0.9


def test_flat_pictures_match_nothing():
    flat = np.full((300, 300, 3), 90, np.uint8)
    assert inliers(flat, flat) == (0, 0.0)


def test_keypoints_come_back_as_they_were(photo):
    made = keypoints(thumbnail(photo(1)))
    row = table.rows([{"image": "a", "subject": "s", "vector": [1.0], **packed(made)}], Looks).iloc[0]
    for one, other in zip(unpacked(row), made, strict=True):
        assert np.array_equal(one, other)


def test_regions_are_the_whole_and_its_corners():
    maps = np.zeros((2, 7, 7))
    maps[0, 0, 0], maps[1, 6, 6] = 1, 1
    assert regions(maps) == pytest.approx(np.array([[2**-0.5, 2**-0.5], [1, 0], [0, 0], [0, 0], [0, 1]], np.float32))


def test_likely_pairs_are_the_most_alike_in_any_part(monkeypatch):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(30, 5, 8))
    vectors = (vectors / np.linalg.norm(vectors, axis=2, keepdims=True)).astype(np.float32)
    alike = np.einsum("id,jrd->ijr", vectors[:, 0], vectors).max(axis=2)
    alike = np.maximum(alike, alike.T)
    np.fill_diagonal(alike, -1)
    best = np.argsort(-alike, axis=1)[:, :3]
    truth = {tuple(sorted((i, int(j)))) for i in range(30) for j in best[i] if alike[i, j] >= 0.5}
    monkeypatch.setattr(looks_module, "BLOCK", 7)
    assert [tuple(pair) for pair in likely_pairs(vectors, 3, 0.5)] == sorted(truth)


def test_only_wanted_looks_are_read_in_the_order_of_images(tables, photo):
    given = tables({"b": photo(2), "a": photo(1), "c": photo(3)})
    assert read_regions(given["looks"], ["c", "a", "missing"]).images.tolist() == ["a", "c"]
    assert len(read_regions(given["looks"], []).regions) == len(read_regions([], ["a"]).regions) == 0


def test_a_crop_waits_for_a_person_and_the_better_picture_does_not(tables, photo):
    given = tables({"a": cut(photo(1), 0.7), "b": photo(1), "c": photo(2)}, a={"subject": "s2"})
    made = run(**given, **LIMITS)
    assert made.findings[["image", "check", "threshold", "verdict"]].values.tolist() == [
        ["a", "duplicate_crop", 15.0, "review"]
    ]
    assert made.findings["reason"][0].endswith("matching points and similar pixels in b; which one should be kept?")
    assert made.pairs[["left", "right", "kind", "same_subject"]].values.tolist() == [["a", "b", "crop", False]]
    assert made.pairs["score"].tolist() == made.findings["score"].tolist()


def blurred(pixels):
    return cv2.GaussianBlur(pixels, (0, 0), 30)


def test_a_copy_of_a_blurred_picture_waits_though_it_has_no_keypoints(tables, photo):
    half = cv2.resize(blurred(photo(1)), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    pictures = {"a": half, "b": blurred(photo(1)), "c": blurred(photo(2)), "d": photo(3)}
    assert max(len(keypoints(thumbnail(pictures[one])).points) for one in "abc") < FEW
    made = run(**tables(pictures), **LIMITS)
    assert made.findings[["image", "check", "verdict", "reason"]].values.tolist() == [
        ["a", "duplicate_crop", "review", "hardly any points, but the pixels of b; which one should be kept?"]
    ]
    assert made.findings[["score", "threshold"]].isna().all(axis=None)
    assert made.pairs[["left", "right", "kind"]].values.tolist() == [["a", "b", "crop"]]
    assert made.pairs["score"].isna().all()


def test_pictures_are_held_against_each_other_in_place_where_keypoints_tell_nothing(photo):
    sharp, plain = keypoints(thumbnail(photo(1))), keypoints(thumbnail(blurred(photo(1))))
    smaller = plain._replace(luma=cv2.resize(plain.luma, (64, 48), interpolation=cv2.INTER_AREA))
    assert same_in_place(plain, smaller, 0.99) and same_in_place(smaller, plain, 0.99)
    assert not same_in_place(sharp, sharp, 0.9)
    assert not same_in_place(plain, keypoints(thumbnail(blurred(photo(2)))), 0.9)
    assert not same_in_place(plain, plain._replace(luma=plain.luma[:, : 2 * plain.luma.shape[1] // 3]), 0)
    flat = plain._replace(luma=np.full_like(plain.luma, 90))
    assert not same_in_place(flat, flat, 0.1)


def test_copies_that_go_take_no_part_and_their_pairs_stay(tables, photo):
    given = tables({"a": cut(photo(1), 0.7), "b": photo(1)})
    given["findings"] = table.rows([("a", "duplicate_near", 1.0, 31.0, "fail", "why")], Findings)
    given["pairs"] = table.rows([("a", "b", "near", 1, None, True)], Pairs)
    made = run(**given, **LIMITS)
    assert len(made.findings) == 0
    assert made.pairs["kind"].tolist() == ["near"]


@pytest.mark.parametrize("all_pairs_up_to", [0, 12_000])
def test_of_many_copies_all_but_the_best_wait(tables, photo, jpeg, all_pairs_up_to):
    """Each is compared with the ten that look most like it, which may all be copies of the best one."""
    rng, one, other = np.random.default_rng(0), photo(1), photo(2)
    same = {f"{rng.integers(10**9):09}": decode(jpeg(one, quality)) for quality in range(50, 90)}
    given = tables(same | {f"{rng.integers(10**9):09}": decode(jpeg(other, at)) for at in range(75, 90)})
    made = run(**given, **LIMITS | {"all_pairs_up_to": all_pairs_up_to})
    assert len(made.findings) == 39 + 14
    kept = set(given["images"]["image"]) - set(made.findings["image"])
    assert len(kept) == 2 and len(kept & set(same)) == 1
    named = made.findings["reason"].str.extract(r"pixels in (\d{9});")[0]
    assert (named.isin(set(same)) == made.findings["image"].isin(set(same))).all() and set(named) == kept


def test_kept_pictures_are_compared_whose_copies_are_copies_of_one_another():
    ranks = np.array([4, 3, 2, 1, 0, 5])
    # By rank: 1 copies 0; 2 copies 1, which is gone; 3 and 4 copy 2, which is kept; 5 copies 0 and 4.
    pairs = np.array([[3, 4], [2, 3], [1, 2], [0, 2], [4, 5], [0, 5]])
    assert between_kept(pairs, ranks).tolist() == [[2, 4]]
    assert between_kept(np.vstack([pairs, [2, 4]]), ranks).tolist() == [[0, 4], [1, 4]]
    assert between_kept(pairs[:0], ranks).tolist() == []
    assert untried(pairs, pairs[1:3]).tolist() == pairs[[0, 3, 4, 5]].tolist()
    assert untried(pairs[:0], pairs).tolist() == [] and untried(pairs, pairs[:0]).tolist() == pairs.tolist()


def test_the_order_of_rows_plays_no_part(tables, photo):
    given = tables({"a": cut(photo(1), 0.8), "b": photo(1), "c": pasted(photo(1), photo(3), 0.8), "d": photo(4)})
    made = run(**given, **LIMITS)
    assert set(made.findings["image"]) >= {"a"}
    shuffled = {**given, "images": given["images"][::-1], "fingerprints": given["fingerprints"][::-1]}
    again = run(**shuffled, **LIMITS)
    assert again.findings.equals(made.findings)
    assert again.pairs.equals(made.pairs)


def test_without_images_nothing_is_said(tables, photo):
    given = tables({"a": photo(1)})
    made = run(**{**given, "images": given["images"][:0]}, **LIMITS)
    assert (len(made.findings), len(made.pairs)) == (0, 0)


def test_pairs_of_a_million_pictures_are_found_again():
    """Arrow says places in 32 bits, which a pair's number exceeds from 46,341 pictures on."""
    pairs = np.random.default_rng(0).integers(0, 1_000_000, (5_000, 2), np.int32)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    pairs = pairs[np.lexsort([pairs[:, 0], pairs[:, 1]])]
    some = np.random.default_rng(1).permutation(len(pairs))[:100]
    assert crops._row_of(pairs, pairs[some], 1_000_000).tolist() == some.tolist()


def test_keypoints_are_read_block_by_block(photo, tables, monkeypatch, tmp_path):
    pictures = {name: photo(seed) for seed, name in enumerate("abcd")}
    pictures |= {f"{name}2": cut(pixels, 0.8) for name, pixels in pictures.items()}
    given = tables(pictures)
    whole = run(**given, **LIMITS)
    assert len(whole.findings) == 4
    rows, given["looks"] = pq.read_table(given["looks"][0]), []
    for number, held in enumerate(([5, 0, 7], [], [2, 1], [6, 3, 4])):
        given["looks"].append(tmp_path / f"{number}.parquet")
        pq.write_table(rows.take(pa.array(held, pa.int64())), given["looks"][-1])
    for at_once, some, together in ((2, 1, 6), (3, 2, 2), (5, 500, 1), (100, 1, 6), (100, 500, 2)):
        monkeypatch.setattr(crops, "AT_ONCE", at_once)
        monkeypatch.setattr(verified, "AT_ONCE", at_once)
        monkeypatch.setattr(verified, "TOGETHER", together)
        monkeypatch.setattr(stored_keypoints, "ROWS", some)
        for one, other in zip(run(**given, **LIMITS), whole, strict=True):
            assert one.equals(other)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-200])


def with_column(name, change):
    def damage(path):
        rows = pq.read_table(path)
        values = pa.array([change(value) for value in rows[name].to_pylist()], rows.schema.field(name).type)
        pq.write_table(rows.set_column(rows.schema.get_field_index(name), rows.schema.field(name), values), path)

    return damage


def of_type(name, kind):
    def damage(path):
        rows = pq.read_table(path)
        at = rows.schema.get_field_index(name)
        pq.write_table(rows.set_column(at, name, rows[name].cast(kind)), path)

    return damage


def without(name):
    def damage(path):
        pq.write_table(pq.read_table(path).drop_columns([name]), path)

    return damage


def vectors_of(*lengths):
    """The vectors of the three pictures have more numbers or fewer: by 0 all are as long as they were."""

    def damage(path):
        more = iter(lengths)
        with_column("vector", lambda v: [*v, *v][: len(v) + next(more)])(path)

    return damage


@pytest.mark.parametrize("all_pairs_up_to", [12_000, 0])
@pytest.mark.parametrize(
    ("why", "damage"),
    [("Arrow.*|OSError", cut_short), ("no column 'vector'", without("vector")),
     *((f"column '{name}' is of another type than .*", of_type(name, kind)) for name, kind in (
         ("image", pa.large_string()), ("vector", pa.list_(pa.float64())), ("points", pa.large_binary()),
         ("luma_width", pa.float64()))),
     ("an image has no id", with_column("image", lambda v: None)),
     ("vectors have something else than numbers", with_column("vector", lambda v: [float("nan"), *v[1:]])),
     ("vectors are not of length 1", with_column("vector", lambda v: [3 * number for number in v])),
     *(("vectors are of different lengths", damage) for damage in (
         vectors_of(0, -5, 0), vectors_of(-5, 5, 0), vectors_of(1, 1, 1), with_column("vector", lambda v: []))),
     *(("keypoints, their descriptors and the thumbnail don't go together", damage) for damage in (
         with_column("points", lambda v: v[8:]), with_column("luma", lambda v: b""),
         with_column("luma_width", lambda v: 0), with_column("luma_scale", lambda v: float("nan")))),
     ("keypoints are nowhere", with_column("points", lambda v: np.float32("nan").tobytes() + v[4:])),
     ("a picture lacks some of its keypoints", with_column("descriptors", lambda v: None)),
     ("no column 'descriptors'", without("descriptors")),
     *(("ValueError", with_column(column, lambda v: v[:-1])) for column in ("descriptors", "luma"))],
)  # fmt: skip
def test_damaged_looks_are_told_by_their_file(tables, photo, why, damage, all_pairs_up_to):
    given = tables({"a": photo(1), "b": cut(photo(1), 0.8), "c": photo(2)})
    damage(given["looks"][0])
    told = rf"looks\.parquet: not a readable table \(({why})\)\n    hint: delete it and rerun"
    with pytest.raises(AccordError, match=told):
        run(**given, **LIMITS | {"all_pairs_up_to": all_pairs_up_to})


@pytest.mark.parametrize("all_pairs_up_to", [12_000, 0])
def test_a_table_whose_vectors_are_shorter_than_those_of_others_is_told(tables, photo, all_pairs_up_to, tmp_path):
    given = tables({"a": photo(1), "b": cut(photo(1), 0.8), "c": photo(2)})
    rows = pq.read_table(given["looks"][0])
    pq.write_table(rows.slice(2), shorter := tmp_path / "shorter.parquet")
    pq.write_table(rows.slice(0, 2), given["looks"][0])
    with_column("vector", lambda v: v[:-5])(shorter)
    with pytest.raises(AccordError, match=r"shorter\.parquet: not a readable table"):
        run(**given | {"looks": [*given["looks"], shorter]}, **LIMITS | {"all_pairs_up_to": all_pairs_up_to})


@pytest.mark.parametrize("all_pairs_up_to", [12_000, 0])
@pytest.mark.parametrize("name", ["looks.parquet", "2.parquet"])
def test_an_image_that_has_two_rows_is_told(tables, photo, all_pairs_up_to, name, tmp_path):
    given = tables({"a": photo(1), "b": cut(photo(1), 0.8), "c": photo(2)})
    again = tmp_path / name
    if again not in given["looks"]:
        shutil.copy(given["looks"][0], again)
    given["looks"].append(again)
    told = rf"{name}: has 3 images that it, or a table of looks before it, has already"
    with pytest.raises(AccordError, match=told):
        run(**given, **LIMITS | {"all_pairs_up_to": all_pairs_up_to})


def test_any_number_of_inliers_can_be_asked_for(photo):
    made = keypoints(thumbnail(photo(3)))
    alike = those(made, np.arange(len(made.points)) < 1)
    alike = alike._replace(**{name: np.repeat(getattr(alike, name), 3, axis=0) for name in EACH})
    assert [match(alike, alike, least) for least in (0, 1, 2)] == [(0, 0.0)] * 3
