"""`accord scan` finds what is left of a person, and accuses nobody else."""

import numpy as np
import pytest

from accord.audit.scan import picture_leaks, recall
from accord.audit.scan.leaks import TEXTS

SEEDS = (1, 2, 3)
ALWAYS = TEXTS | picture_leaks.EXACT


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
    assert [kind for kind in ALWAYS if not all(found[kind])] == []
    changed = [hit for kind in picture_leaks.CHANGED for hit in found[kind]]
    assert sum(changed) / len(changed) >= 0.8


def test_nobody_else_is_accused(scans):
    for root, _, _, inspector in scans:
        assert [f for f in inspector.findings if f.place.path.startswith(str(root / "others"))] == []
        assert inspector.gaps == []
