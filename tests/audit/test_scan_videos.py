"""Videos in a scan: frames of a person's are known again, in copies that were compressed anew; others accuse nobody."""

import io
import tarfile
from pathlib import Path

import numpy as np
import pytest

from accord.engine import table
from accord.erase.dossiers import collect
from accord.imaging import video
from accord.imaging.bundle import BundleWriter
from accord.intake.tables import People, VideoBoxes, Videos
from accord.scan.dossier import FILE, IMAGE, Value
from accord.scan.findings import Place
from accord.scan.inspection import Inspector
from accord.shards import opaque_id
from accord_demo.people_of_delivery import people
from accord_demo.recording import record
from video_cases import write_video

DELIVERY = Path(__file__).parents[1] / "data/demo/delivery"
HER, HERS = opaque_id("acme", "ann"), opaque_id("acme", "d", "VID_1")


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """A film of her, and one of somebody else."""
    folder = tmp_path_factory.mktemp("films")
    for number, someone in enumerate(people(DELIVERY, 2)):
        record(folder / f"{number}.mp4", someone, dark=False, turned=0, rng=np.random.default_rng(number))
    return folder / "0.mp4", folder / "1.mp4"


@pytest.fixture(scope="module")
def dossier(films, tmp_path_factory):
    """What a run's results know her by."""
    return known(tmp_path_factory.mktemp("run"), films[0], [])


def known(results, film, boxes):
    """The dossier of her, of results with one film and rows of boxes."""
    folder = results / "intake/00"
    folder.mkdir(parents=True)
    with BundleWriter(folder / "videos.tar") as writer:
        member = writer.add(f"{HERS}.mp4", film.read_bytes())
    row = (HERS, HER, "acme", "d", "VID_1", True, *member, "2026-02-03")
    table.write(table.rows([row], Videos), Videos, folder / "videos.parquet")
    people = [(HERS, one, one == HER, None, *[np.nan] * 8, "") for one in sorted({HER, *(box[0] for box in boxes)})]
    table.write(table.rows(people, People), People, folder / "video_people.parquet")
    places = [
        (HERS, who, kind, seconds, *box) for who, *box in boxes for kind in ("face", "person") for seconds in (0.0, 9.0)
    ]
    table.write(table.rows(places, VideoBoxes), VideoBoxes, folder / "video_boxes.parquet")
    found = collect.collect(results, results / "vault", "acme", "ann")
    assert {Value(IMAGE, HERS), Value(FILE, member.sha256)} <= found.values and len(found.prints) == 5
    return found


def looked(dossier, data):
    inspector = Inspector(dossier)
    inspector.content(data, Place("copy"))
    return inspector


def test_a_copy_in_an_archive_that_was_compressed_anew_is_found(dossier, films, tmp_path):
    again = write_video(tmp_path / "a.mp4", [one.pixels() for one in video.every(films[0])])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(again, "holiday.mp4")
    found = looked(dossier, packed.getvalue())
    assert found.findings and found.gaps == []
    assert all("holiday.mp4" in str(finding.place) for finding in found.findings)


def test_somebody_elses_film_accuses_nobody(dossier, films):
    found = looked(dossier, films[1].read_bytes())
    assert (found.findings, found.gaps) == ([], [])


def test_a_film_that_is_cut_is_told(dossier, films):
    data = films[1].read_bytes()
    assert len(looked(dossier, data[: len(data) // 2]).gaps) == 1


def test_another_s_own_film_from_the_same_place_is_not_hers(films, tmp_path):
    """Both were filmed together, side by side, and she alone withdrew: that film falls, and his stays."""
    hers, his = ([one.pixels() for one in video.every(film)] for film in films)
    both = write_video(tmp_path / "both.mp4", [np.concatenate(two, 1) for two in zip(hers, his, strict=True)])
    width = hers[0].shape[1]
    boxes = [(HER, 0.0, 0.0, width, width), (opaque_id("acme", "bob"), width, 0.0, width, width)]
    told = known(tmp_path / "told", both, boxes)
    assert looked(told, films[1].read_bytes()).findings == []
    assert looked(known(tmp_path / "untold", both, []), films[1].read_bytes()).findings
    again = write_video(tmp_path / "again.mp4", [one.pixels() for one in video.every(both)])
    assert looked(told, again.read_bytes()).findings and looked(told, films[0].read_bytes()).findings
