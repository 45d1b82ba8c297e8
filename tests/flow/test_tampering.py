"""An auditor finds what a forger did: every class of tampering, tried at random places of a finished project."""

import pytest
import restored
import tampers
import tampers_results
import trials

pytestmark = pytest.mark.slow
TIMES, SEED = 1, 20261121


def test_every_class_of_tampering_is_found(small_done, capsys):
    with restored.copied(small_done.folder) as copy:
        assert trials.failures() == set()
        assert trials.failures({"again": True}) == set()
        tampers_results.without_report()
        assert trials.failures() == set()
        copy.restore()
        tallies = [trials.tally(copy, kind, TIMES, SEED) for kind in tampers.CLASSES]
        # Nothing of a class is left, that could be found in its place by the next.
        assert trials.failures() == set()
    with capsys.disabled():
        print(f"\n{trials.table(tallies)}")
    assert len([one for one in tallies if one.tried]) >= 70
    assert [one.name for one in tallies if one.found < one.tried or one.broken] == []


def test_the_commands_give_the_verdict(small_done):
    configured = ("--config", *tampers.CONFIG, "--on", trials.TODAY)
    everything = small_done.accord("audit", *configured)
    assert everything.returncode == 0, everything.stdout
    assert "FAIL" not in everything.stdout
    release = small_done.accord("audit", "releases/1.0.0", *configured)
    assert release.returncode == 0, release.stdout
    figure = small_done.accord("audit", "results/report/index.html", "--figure", "figure-waterfall", *configured)
    assert figure.returncode == 0, figure.stdout
    assert "was redrawn from its tables, and is identical" in figure.stdout
    row = ("results/analyse/groups.parquet", "--row", "attribute=all", "--row", "model=yunet")
    told = small_done.accord("audit", *row, *configured)
    assert told.returncode == 0, told.stdout
