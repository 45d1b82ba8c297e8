"""`accord scan` finds what is left of a person, and accuses nobody else."""

import numpy as np
import pytest

from accord.scan import search
from accord.scan.dossier import PERCEPTUAL, REFERENCE, Dossier, Value
from accord.scan.findings import Place
from accord.scan.inspection import Inspector
from accord.scan.pictures import Pictures, digest, print_of, tiles
from accord.scan.planted import picture_leaks, recall

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """Per seed: what was planted, whether it was found, and the inspector; a stranger's leaks lie in the same tree."""
    made = []
    for seed in SEEDS:
        rng, root = np.random.default_rng(seed), tmp_path_factory.mktemp(f"tree{seed}")
        wanted, stranger = picture_leaks.person(rng), picture_leaks.person(rng)
        paths = recall.planted(root / "theirs", wanted, rng)
        recall.planted(root / "others", stranger, rng)
        made.append((root, wanted, *recall.found(root, wanted, paths)))
    return made


def test_recall_on_planted_leaks(scans):
    found = {kind: [seen[kind] for _, _, seen, _ in scans] for kind in recall.ALL}
    print("".join(f"\n{kind:18} {sum(hits)}/{len(hits)}" for kind, hits in found.items()))
    assert len(found) >= 20
    assert [kind for kind in recall.ALWAYS if not all(found[kind])] == []
    changed = [hit for kind in picture_leaks.CHANGED for hit in found[kind]]
    assert sum(changed) / len(changed) >= 0.8


def test_nobody_else_is_accused(scans):
    for root, _, _, inspector in scans:
        assert [f for f in inspector.findings if f.place.path.startswith(str(root / "others"))] == []
        assert inspector.gaps == []


def test_what_lies_across_the_windows_of_a_large_file_is_found(monkeypatch):
    monkeypatch.setattr(search, "WINDOW", 1000)
    inspector = Inspector(Dossier(frozenset({Value(REFERENCE, "Subject-77")}), (), {}))
    for start in range(990, 1002):
        inspector.content(b"." * start + b"Subject-77" + b"." * 2000, Place(str(start)))
    assert [finding.place.path for finding in inspector.findings] == [str(start) for start in range(990, 1002)]


def test_what_two_pictures_have_in_common_is_not_the_person():
    rng = np.random.default_rng(7)
    known, other, sign = (picture_leaks.made_up(rng, *size) for size in ((512, 640), (512, 640), (150, 200)))
    known[20:170, 30:230] = other[200:350, 300:500] = sign
    pictures = Pictures((print_of(known),))
    assert pictures.match(other, digest(other)) is None
    assert pictures.match(known[:400, :500], digest(known[:400, :500])).how == "SIFT"


def test_the_hash_of_a_flat_picture_is_nobodys():
    flat = print_of(np.full((300, 300, 3), 200, np.uint8))
    seen = print_of(picture_leaks.made_up(np.random.default_rng(8)))
    values = frozenset(Value(PERCEPTUAL, known.pdq) for known in (flat, seen))
    inspector = Inspector(Dossier(values, (), {}))
    inspector.content(b"padding" + bytes(64), Place("archive"))
    inspector.content(b"row" + bytes.fromhex(seen.pdq), Place("table"))
    assert {finding.place.path for finding in inspector.findings} == {"table"}


def test_a_perceptual_hash_a_few_bits_away_is_found():
    known = print_of(picture_leaks.made_up(np.random.default_rng(8)))
    inspector = Inspector(Dossier(frozenset(), (known,), {}))
    for flipped, place in ((0b10110, "near"), ((1 << 60) - 1, "far")):
        inspector.content(f"hash,{int(known.pdq, 16) ^ flipped:064x}".encode(), Place(place))
    assert [(finding.place.path, finding.score) for finding in inspector.findings] == [("near", 3.0)]


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_a_panel_differs_from_the_ground_in_any_channel(channel):
    figure = np.full((200, 300, 3), 7, np.uint8)
    figure[20:90, 30:110, channel] = 8
    figure[20:90, 150:260, channel] = 0
    assert list(tiles(figure)) == [(slice(20, 90), slice(30, 110)), (slice(20, 90), slice(150, 260))]
    assert list(tiles(figure[20:90, 30:110])) == []
