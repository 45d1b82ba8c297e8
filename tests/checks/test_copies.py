"""Copies and duplicates: what is kept, what goes, and that nothing else plays a part."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from accord.checks import duplicates
from accord.checks.files.encoding import encoding_quality
from accord.checks.matching.copies import MIN_QUALITY, TURNED_RADIUS, bits_apart, find_copies
from accord.checks.tables.findings import Findings, Fingerprints
from accord.checks.tables.views import Prints
from accord.engine import table
from accord.errors import AccordError
from accord.imaging.decode import decode
from accord.imaging.fingerprint import fingerprint

RADIUS = 31
RANDOM = np.random.default_rng(11).integers(0, 2, 256, dtype=np.uint8)


def hash_with(*turned) -> str:
    """A fixed random hash with some bits turned: hashes are as far apart as their sets of bits differ."""
    bits = RANDOM.copy()
    bits[list(turned)] ^= 1
    return np.packbits(bits).tobytes().hex()


def run(images, prints, *refused, max_distance):
    """The step, of images of which consent stopped none but some `refused`, which were delivered, too."""
    findings = [(image, check, 1.0, 0.0, "fail", "why") for image, check in refused]
    left = images[~images["image"].isin([image for image, _ in refused])]
    return duplicates.run(left, prints, images, table.rows(findings, Findings), max_distance=max_distance)


@pytest.fixture
def both(images, prints):
    """Tables Images and Fingerprints of the same images, from dicts of fingerprint columns (and `captured_at`)."""

    def make(*rows):
        known = [{key: row[key] for key in ("image", "subject", "captured_at", "source") if key in row} for row in rows]
        own = [{key: value for key, value in row.items() if key not in ("captured_at", "source")} for row in rows]
        return images(*known), prints(*own)

    return make


def told(duplicates):
    rows = duplicates.findings
    return {
        row.image: (row.check, row.reason.split(" from ")[-1].split(" as ")[-1].split()[0]) for row in rows.itertuples()
    }


@pytest.mark.parametrize("view", [Fingerprints, Prints])
@pytest.mark.parametrize(
    ("column", "value"), [("pdq", "z" * 64), ("pdq", "A" * 64), ("pdq", "0" * 64 + "\n"), ("turned", " " * 192)]
)
def test_a_hash_of_something_else_than_hexadecimal_digits_is_told(prints, view, column, value):
    made = prints({"image": "a"}, {"image": "b"}).assign(subject="s")
    made.loc[1, column] = value
    with pytest.raises(AccordError, match=rf"x\.parquet: column '{column}' fails .* in 1 row\(s\), first \[1\]"):
        table.check(made, view, "x.parquet")


def test_pictures_of_their_own_are_left_alone(both):
    made = run(*both({"image": "a"}, {"image": "b"}, {"image": "c"}), max_distance=RADIUS)
    assert (len(made.findings), len(made.pairs)) == (0, 0)


def test_the_very_file_that_somebody_withdrew_is_published_under_no_name(images, prints):
    rows = [
        {"image": name, "subject": f"s{name}", "sha256": sha * 64} for name, sha in zip("abcd", "1121", strict=True)
    ]
    told = prints(*({"image": row["image"], "subject": row["subject"]} for row in rows))
    made = run(images(*rows), told, ("a", "consent.scope"), max_distance=RADIUS)
    assert made.findings[["image", "check", "verdict"]].values.tolist() == [
        ["b", "duplicate_exact", "fail"], ["d", "duplicate_exact", "fail"],
    ]  # fmt: skip
    assert "withdrew" in made.findings["reason"][0] and len(made.pairs) == 0
    assert len(run(images(*rows), told, ("a", "consent.form_missing"), max_distance=RADIUS).findings) == 0


def test_equal_pixels_are_exact_duplicates_and_the_earlier_stays(both):
    same = {"pixels": "f" * 64, "pdq": hash_with()}
    made = run(
        *both(
            {"image": "a", "captured_at": "2024-05-02T00:00:00", **same},
            {"image": "b", "captured_at": "2024-05-01T00:00:00", "subject": "s2", **same},
        ),
        max_distance=RADIUS,
    )
    assert made.findings.drop(columns=["score", "threshold"]).values.tolist() == [
        ["a", "duplicate_exact", "fail", "same pixels as b of another subject, which is kept"]
    ]
    assert made.pairs.drop(columns="score").values.tolist() == [["a", "b", "exact", 0, False]]


def test_of_equal_copies_the_first_in_the_vendors_order_stays(both):
    same = {"pixels": "f" * 64, "pdq": hash_with()}
    made = run(
        *both({"image": "a", "source": "IMG_2", **same}, {"image": "b", "source": "IMG_1", **same}), max_distance=RADIUS
    )
    assert made.findings["image"].tolist() == ["a"]


@pytest.mark.parametrize(("bits", "near"), [(31, True), (32, False)])
def test_the_radius_is_kept_to_the_bit(both, bits, near):
    made = run(
        *both({"image": "a", "pdq": hash_with()}, {"image": "b", "pdq": hash_with(*range(bits))}), max_distance=RADIUS
    )
    assert len(made.findings) == near
    if near:
        assert (
            made.findings["reason"][0]
            == "31 of 256 bits differ from a of the same subject, which is kept; near duplicates have at most 31"
        )
        assert made.pairs.drop(columns="score").values.tolist() == [["a", "b", "near", 31, True]]


def test_more_pixels_win_over_sharper_and_sharper_over_earlier(both):
    rows = [
        {"image": "a", "pdq": hash_with(), "width": 640, "sharpness": 1.0},
        {"image": "b", "pdq": hash_with(1), "width": 800, "sharpness": 1.0},
        {"image": "c", "pdq": hash_with(2), "width": 640, "sharpness": 9.0},
    ]
    assert set(told(run(*both(*rows), max_distance=RADIUS))) == {"a", "c"}
    assert set(told(run(*both(rows[0], rows[2]), max_distance=RADIUS))) == {"a"}


def test_there_is_no_chaining(both):
    """A chain a - b - c - d of steps of 20 bits, each worse than the one before: b copies a, d copies c, c nobody."""
    rows = [{"image": name, "pdq": hash_with(*range(20 * i)), "sharpness": 9.0 - i} for i, name in enumerate("abcd")]
    assert told(run(*both(*rows), max_distance=RADIUS)) == {"b": ("duplicate_near", "a"), "d": ("duplicate_near", "c")}


def test_images_that_were_stopped_push_nobody_out(both):
    images, prints = both(
        {"image": "a", "pdq": hash_with(), "width": 9000}, {"image": "b", "pdq": hash_with(1)}, {"image": "c"}
    )
    assert len(run(images[images["image"] != "a"], prints, max_distance=RADIUS).findings) == 0


def test_flat_pictures_are_copies_only_where_their_pixels_are_equal(both):
    flat = {"pdq": "0" * 64, "pdq_quality": MIN_QUALITY - 1}
    made = run(
        *both({"image": "a", **flat}, {"image": "b", **flat}, {"image": "c", **flat, "pixels": "f" * 64},
              {"image": "d", **flat, "pixels": "f" * 64}),
        max_distance=RADIUS,
    )  # fmt: skip
    assert told(made) == {"d": ("duplicate_exact", "c")}


FORMS = {
    "a quarter turn": lambda p: np.rot90(p), "a half turn": lambda p: np.rot90(p, 2),
    "three quarters": lambda p: np.rot90(p, 3), "mirrored": lambda p: p[:, ::-1], "upside down": lambda p: p[::-1],
    "transposed": lambda p: p.transpose(1, 0, 2), "turned and transposed": lambda p: np.rot90(p, 2).transpose(1, 0, 2),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("first", ["a", "b"])
def test_a_turned_copy_is_found_whichever_of_the_two_is_better(both, photo, jpeg, form, first):
    pixels = photo(1)
    copy = decode(jpeg(np.ascontiguousarray(form(pixels)), 60))
    pictures = {"a": pixels, "b": copy, "c": photo(2)}
    of = {name: fingerprint(value)._asdict() | {"encoding": 90 - (name != first)} for name, value in pictures.items()}
    made = run(*both(*({"image": name, **value} for name, value in of.items())), max_distance=RADIUS)
    assert made.pairs[["left", "right", "kind"]].values.tolist() == [["a", "b", "near"]]
    assert made.findings["image"].tolist() == ["b" if first == "a" else "a"]
    assert made.findings["score"][0] == made.pairs["distance"][0] <= 6


@pytest.mark.parametrize(("bits", "near"), [(TURNED_RADIUS, True), (TURNED_RADIUS + 1, False)])
def test_turned_forms_have_their_own_radius(both, bits, near):
    turned = "0" * 128 + hash_with(*range(bits))
    rows = [{"image": "a", "pdq": hash_with(), "sharpness": 9.0}, {"image": "b", "turned": turned}]
    assert len(run(*both(*rows), max_distance=RADIUS).findings) == near


def test_an_encoding_that_lost_more_goes_though_it_looks_sharper(both, photo, jpeg):
    """A re-encoded copy of the same size: blocks look sharp."""
    original, copy = jpeg(photo(3), 92), jpeg(photo(3), 10)
    rows = [
        {"image": name, **fingerprint(decode(data))._asdict(), "encoding": encoding_quality(data)}
        for name, data in {"a": copy, "b": original}.items()
    ]
    assert rows[0]["sharpness"] > rows[1]["sharpness"]
    assert run(*both(*rows), max_distance=RADIUS).findings["image"].tolist() == ["a"]


def test_exif_data_win_over_a_better_encoding(both):
    images, prints = both(
        {"image": "a", "pdq": hash_with(), "encoding": 100}, {"image": "b", "pdq": hash_with(1), "encoding": 70}
    )
    images["has_exif"] = [False, True]
    assert run(images, prints, max_distance=RADIUS).findings["image"].tolist() == ["a"]


def test_a_thousand_copies_are_not_a_million_pairs(both):
    rows = [{"image": f"i{i:03}", "pixels": "f" * 64, "pdq": hash_with()} for i in range(300)]
    made = run(*both(*rows), max_distance=RADIUS)
    assert (len(made.findings), len(made.pairs)) == (299, 299)


def test_within_subjects_other_subjects_do_not_count(both):
    same = {"pixels": "f" * 64, "pdq": hash_with()}
    tables = both(
        {"image": "a", **same},
        {"image": "b", "subject": "s2", **same},
        {"image": "c", "subject": "s2", "pdq": hash_with(1)},
    )
    kept = find_copies(*tables, RADIUS, within_subjects=True).kept
    assert kept.to_dict() == {"a": "a", "b": "b", "c": "b"}


pictures = st.lists(
    st.tuples(
        st.sets(st.integers(0, 47), max_size=48), st.sampled_from([480, 640]), st.sampled_from([1.0, 2.0]),
        st.sampled_from(["s1", "s2"]), st.sampled_from([100, 100, 20]),
    ),
    min_size=1, max_size=14,
)  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(pictures=pictures, seed=st.integers(0, 99), data=st.data())
def test_the_rule_holds_on_any_pictures(pictures, seed, data):
    images, prints = tables_of(pictures)
    copies = find_copies(images, prints, RADIUS)
    copied = all_copies(prints)
    kept = {image for image, by in copies.kept.items() if image == by}
    assert not [pair for pair in copied if pair <= kept], "two kept pictures are copies"
    assert all({image, by} in copied and by in kept for image, by in copies.kept.items() if image != by)
    assert {frozenset(pair) for pair in copies.pairs[["left", "right"]].values.tolist()} <= set(copied)
    shuffled = find_copies(
        images.sample(frac=1, random_state=seed), prints.sample(frac=1, random_state=seed + 1), RADIUS
    )
    assert shuffled.kept.equals(copies.kept)
    assert_frame_equal(shuffled.pairs, copies.pairs)


def tables_of(pictures):
    """Tables for (turned bits, width, sharpness, subject, quality); those alike in bits and size are exact copies."""
    rows = [
        {
            "image": f"i{place:02}", "subject": subject, "pixels": f"{hash_with(*bits)}", "pdq": hash_with(*bits),
            "pdq_quality": quality, "phash": "0" * 16, "width": width, "height": 480, "sharpness": sharpness,
            "brightness": 1.0, "turned": "0f" * 96, "encoding": 90,
        }
        for place, (bits, width, sharpness, subject, quality) in enumerate(pictures)
    ]  # fmt: skip
    prints = table.rows(rows, Fingerprints)
    order = {"captured_at": "", "vendor": "v", "delivery": "d", "source": "", "has_exif": True}
    return prints[["image", "subject"]].assign(**order), prints


def all_copies(prints):
    """Every pair of copies by the definition: equal pixels and size, or trusted hashes within the radius."""
    found = []
    for one, other in combinations(prints.itertuples(), 2):
        exact = (one.pixels, one.width) == (other.pixels, other.width)
        trusted = min(one.pdq_quality, other.pdq_quality) >= MIN_QUALITY
        same_trust = (one.pdq_quality >= MIN_QUALITY) == (other.pdq_quality >= MIN_QUALITY)
        near = trusted and bin(int(one.pdq, 16) ^ int(other.pdq, 16)).count("1") <= RADIUS
        if near or (exact and same_trust):
            found.append(frozenset((one.image, other.image)))
    return found


def test_bits_apart_takes_the_closest_form_of_the_worse_one(both):
    _, prints = both({"image": "a", "pdq": "0" * 64}, {"image": "b", "turned": "f" * 64 + "f" * 64 + "0" * 63 + "8"})
    assert bits_apart(prints[:1], prints[1:]).tolist() == [1]
