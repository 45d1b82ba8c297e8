"""Keypoints of several pictures are matched with those of one as each alone is, by the plain way written here."""

from contextlib import closing

import cv2
import numpy as np
import pytest

from accord.checks.matching import verified
from accord.checks.matching.keypoints import LENGTH, those, with_lengths
from accord.checks.matching.matches import RATIO, TOLERANCE, match, matches
from accord.checks.matching.stored_keypoints import Store
from accord.checks.matching.verified import Limits


def described(rng, count):
    """Descriptors as SIFT has them: mostly small numbers, a length near 512."""
    made = rng.gamma(0.6, size=(count, LENGTH))
    return np.round(512 * made / np.linalg.norm(made, axis=1, keepdims=True)).clip(0, 255).astype(np.uint8)


def made_keypoints(seed, count, descriptors=None):
    rng = np.random.default_rng(seed)
    luma = cv2.GaussianBlur(rng.integers(0, 256, (96, 128), dtype=np.uint8), (0, 0), 3)
    points = rng.uniform(0, 384, (count, 2)).astype(np.float32)
    return with_lengths(points, described(rng, count) if descriptors is None else descriptors, luma, 0.25)


def moved(made, seed, share):
    """Keypoints of a picture as they are found again: shuffled, a share of them where they were, with some noise."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(made.points))
    noise = rng.integers(-3, 4, made.descriptors.shape)
    descriptors = (made.descriptors + noise).clip(0, 255).astype(np.uint8)[order]
    points = (made.points + rng.normal(0, 0.5, made.points.shape)).astype(np.float32)[order]
    lost = np.arange(len(order)) >= share * len(order)
    points[lost], descriptors[lost] = rng.uniform(0, 384, (lost.sum(), 2)), described(rng, lost.sum())
    return with_lengths(points, descriptors, made.luma, made.scale)


def twice(made):
    """Half of the descriptors stand in place of the other half, too: nearest ones that are as near as the next."""
    half = len(made.points) // 2
    descriptors = made.descriptors.copy()
    descriptors[half : 2 * half] = descriptors[:half]
    return with_lengths(made.points, descriptors, made.luma, made.scale)


def blank(made):
    """Some descriptors of zeros, which have no length, and one of the greatest length that bytes have."""
    descriptors = made.descriptors.copy()
    descriptors[::9], descriptors[4] = 0, 255
    return with_lengths(made.points, descriptors, made.luma, made.scale)


def distance(cosine):
    return np.sqrt(max(2 - 2 * cosine, np.float32(0)))


def likely(left, right):
    """Keypoints that are each other's nearest where the next is clearly farther, one row after the other."""
    products = left.descriptors.astype(np.int64) @ right.descriptors.astype(np.int64).T
    along = products.astype(np.float32) * right.per_length
    cosines, found = along * left.per_length[:, None], []
    for row, values in enumerate(along):
        best = int(values.argmax())
        near, far = cosines[row, best], np.delete(cosines[row], best).max()
        if distance(near) < RATIO * distance(far):
            found.append((row, best))
    agreed = [(row, best) for row, best in found if cosines[:, best].argmax() == row]
    return len(found), np.array(agreed, int).reshape(-1, 2)


def correlation(left, right, carried):
    carried = np.column_stack([carried[:, :2] * right.scale / left.scale, carried[:, 2] * right.scale])
    size = right.luma.shape[::-1]
    seen = cv2.warpAffine(left.luma, carried, size, flags=cv2.INTER_LINEAR)
    both = cv2.warpAffine(np.ones_like(left.luma), carried, size, flags=cv2.INTER_NEAREST)
    both = cv2.erode(both, np.ones((3, 3), np.uint8)) > 0
    one, other = seen[both].astype(float), right.luma[both].astype(float)
    return 0.0 if len(one) < 100 or not one.std() or not other.std() else float(np.corrcoef(one, other)[0, 1])


def plain(left, right, least):
    if min(len(left.points), len(right.points)) < max(least, 2):
        return 0, 0.0
    passed, agreed = likely(left, right)
    if passed < least or len(agreed) < least:
        return 0, 0.0
    points = left.points[agreed[:, 0]], right.points[agreed[:, 1]]
    found, inside = cv2.estimateAffinePartial2D(
        *points, method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=1000
    )
    if found is None or inside.sum() < least:
        return 0 if inside is None else int(inside.sum()), 0.0
    return int(inside.sum()), correlation(left, right, found)


BASE = made_keypoints(0, 120)
FLAT = BASE._replace(luma=np.full_like(BASE.luma, 90))
LEFTS = [
    BASE, made_keypoints(1, 80), those(BASE, np.arange(120) < 0), those(BASE, np.arange(120) < 1), twice(BASE),
    those(BASE, np.arange(120) < 14), blank(BASE), FLAT, made_keypoints(2, 300), BASE,
    made_keypoints(3, 20, np.zeros((20, LENGTH), np.uint8)),
]  # fmt: skip
RIGHTS = {
    "the same": BASE, "moved": moved(BASE, 5, 0.7), "hardly there": moved(BASE, 6, 0.1), "another": LEFTS[1],
    "twice": twice(moved(BASE, 7, 1)), "twice as many": made_keypoints(8, 240, np.tile(BASE.descriptors, (2, 1))),
    "blank": blank(moved(BASE, 9, 0.9)), "nothing": LEFTS[2], "one": LEFTS[3], "fourteen": LEFTS[5], "flat": FLAT,
    "zeros": LEFTS[-1],
}  # fmt: skip


@pytest.mark.parametrize("least", [2, 4, 15])
@pytest.mark.parametrize("right", RIGHTS)
def test_several_pictures_are_matched_as_each_alone(right, least):
    inliers, correlations = zip(*(plain(left, RIGHTS[right], least) for left in LEFTS), strict=True)
    together, alone = matches(LEFTS, RIGHTS[right], least), [match(left, RIGHTS[right], least) for left in LEFTS]
    assert together == alone
    assert [one.inliers for one in alone] == list(inliers)
    assert [one.correlation for one in alone] == pytest.approx(correlations, abs=1e-12)


def test_what_is_matched_here_is_found_and_told_apart():
    found = {name: match(BASE, right, 15) for name, right in RIGHTS.items()}
    assert {name for name, one in found.items() if one.inliers >= 15} == {"the same", "moved", "blank", "flat"}
    assert {name for name, one in found.items() if one.correlation > 0.9} == {"the same", "moved", "blank"}


def test_no_pictures_have_no_matches():
    assert matches([], BASE, 15) == []


def in_place(left, right):
    """Whether one has hardly any keypoints, and all pixels of pictures of one size are alike."""
    one, other = left.luma.ravel().astype(float), right.luma.ravel().astype(float)
    few = min(len(left.points), len(right.points)) < 15
    return few and one.std() > 0 < other.std() and np.corrcoef(one, other)[0, 1] >= 0.9


def stored(pictures):
    store = Store(len(pictures))
    for place in np.random.default_rng(1).permutation(len(pictures)).tolist():
        store.add(place, pictures[place])
    return store


def test_stored_keypoints_come_back_as_they_were():
    with closing(stored(LEFTS)) as store:
        read = store.get(np.arange(len(LEFTS)))
    for place, made in enumerate(LEFTS):
        for one, other in zip(read[place], made, strict=True):
            assert np.array_equal(one, other)
            assert np.asarray(one).dtype == np.asarray(other).dtype


@pytest.mark.parametrize(("at_once", "together"), [(1, 6), (7, 2), (1000, 6), (1000, 1000)])
def test_pairs_hold_as_the_plain_way_says_in_their_order(at_once, together, monkeypatch):
    pictures = [*LEFTS, *RIGHTS.values()]
    pairs = np.array([(a, b) for b in range(len(pictures)) for a in range(b) if (a * b) % 3 < 2])
    found = {(a, b): plain(pictures[a], pictures[b], 15) for a, b in pairs.tolist()}
    known = {pair: inliers for pair, (inliers, alike) in found.items() if inliers >= 15 and alike >= 0.9}
    known |= {pair: 0 for pair in found.keys() - known if in_place(*(pictures[one] for one in pair))}
    held = sorted(known)
    monkeypatch.setattr(verified, "Store", lambda count: stored(pictures))
    monkeypatch.setattr(verified, "_keep", lambda *given: None)
    monkeypatch.setattr(verified, "AT_ONCE", at_once)
    monkeypatch.setattr(verified, "TOGETHER", together)
    order = np.random.default_rng(at_once).permutation(len(pictures))
    shown = verified.Compared([], np.arange(len(pictures)), order, np.arange(len(pictures)))
    made = verified.verified(shown, pairs, Limits(15, 0.9))
    assert len(held) > 10
    assert made.pairs.tolist() == [list(pair) for pair in held]
    assert made.inliers.tolist() == [known[pair] for pair in held]
    assert (made.pairs.dtype, made.inliers.dtype) == (np.int64, np.int32)
