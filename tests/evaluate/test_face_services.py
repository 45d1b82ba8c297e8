"""Which face recognition services a run has, and how a detector and a recogniser answer as one."""

from pathlib import Path

import numpy as np
import pytest

from accord.errors import AccordError
from accord.models import face_services, loading
from accord.models.face_services import PairedService
from accord.models.protocols import Boxes

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
ENTRIES = """
yunet: {task: face_localization, adapter: "opencv:YuNet", weights: {}, licence: MIT, source: here}
sface: {task: face_verification, adapter: "opencv:SFace", weights: {}, licence: MIT, source: here}
far: {task: face_verification, adapter: "opencv:SFace", weights: {net: {path: far.onnx, sha256: null}},
      licence: MIT, source: here}
pair: {task: face_service, service: {detector: yunet, embedder: sface}, licence: MIT, source: here}
worn: {task: face_service, service: {detector: yunet, embedder: sface, side: 24}, licence: MIT, source: here}
lacking: {task: face_service, service: {detector: yunet, embedder: far}, licence: MIT, source: here}
turned: {task: face_service, service: {detector: sface, embedder: yunet}, licence: MIT, source: here}
nowhere: {task: face_service, service: {detector: nobody, embedder: sface}, licence: MIT, source: here}
"""


def named(tmp_path, *names, entries=ENTRIES):
    path = tmp_path / "models.yaml"
    path.write_text(entries)
    return face_services.read(names, {"models": str(path), "weights": str(tmp_path)}, SCHEMA)


class Corner:
    """Finds the first pixel, and makes a vector of a picture's means."""

    def detect(self, pictures):
        return [Boxes(np.array([[0.0, 0, 1, 1]]), np.ones(1), ["face"]) for _ in pictures]

    def embed(self, pictures):
        self.seen = pictures
        return [picture.reshape(-1, 3).mean(axis=0) if picture.any() else None for picture in pictures]


def test_a_service_of_two_entries_tells_both_with_their_code(tmp_path):
    found = named(tmp_path, "pair")
    assert set(found.entries) == {"pair", "yunet", "sface"} and not found.missing
    assert '"name": "yunet"' in found.specs["pair"] and found.specs["pair"].count('"code"') == 2


def asked_of(tmp_path, services, earlier, entries=ENTRIES):
    path = tmp_path / "models.yaml"
    path.write_text(entries)
    settings = {"models": str(path), "weights": str(tmp_path)}
    return face_services.asked({"services": services, "earlier": earlier}, settings, SCHEMA)


PAID = """
now: {task: face_service, adapter: "facepp:Client", weights: {}, compares: faces, licence: none, source: here,
      options: {version: "2028"}}
then: {task: face_service, adapter: "facepp:Client", weights: {}, compares: faces, licence: none, source: here,
       options: {version: "2026"}}
same: {task: face_service, adapter: "facepp:Client", weights: {}, compares: faces, licence: none, source: here,
       options: {version: "2028"}}
"""


def test_an_earlier_version_is_read_beside_the_services_and_a_paid_one_replayed(tmp_path):
    found = asked_of(tmp_path, ["now", "pair"], {"now": "then", "pair": "worn"}, ENTRIES + PAID)
    assert set(found.specs) == {"now", "pair", "then", "worn"}
    assert {name for name, spec in found.specs.items() if '"replayed": true' in spec} == {"then"}


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ({"worn": "then"}, "worn: isn't tested"),
        ({"now": "pair"}, "now: pair is one of evaluate.rapid.services, too"),
        ({"now": "worn", "pair": "worn"}, "worn is the earlier version of several services"),
        ({"now": "same"}, "now: same is the same version of it"),
        ({"now": "yunet"}, "yunet: is a model of face_localization"),
    ],
)
def test_what_can_t_be_an_earlier_version_is_told(tmp_path, earlier, said):
    with pytest.raises(AccordError, match=said):
        asked_of(tmp_path, ["now", "pair"], earlier, ENTRIES + PAID)


def test_a_service_without_weights_is_left_out_and_told(tmp_path):
    found = named(tmp_path, "pair", "lacking")
    assert set(found.specs) == {"pair"}
    assert "weights" in found.missing["lacking"][0].what


@pytest.mark.parametrize(
    ("names", "said"),
    [(["yunet"], "yunet: is a model of face_localization"), (["turned"], "sface: is a model of face_verification"),
     (["pair", "pair"], r"evaluate\.rapid\.services: pair: is listed more than once"),
     (["pear"], r"evaluate\.rapid\.services: pear: .*no such model"), (["nowhere"], "nobody: .*no such model")],
)  # fmt: skip
def test_what_is_no_service_is_refused(tmp_path, names, said):
    with pytest.raises(AccordError, match=said):
        named(tmp_path, *names)


def test_an_entry_is_either_made_of_two_or_has_an_adapter(tmp_path):
    both = ENTRIES + 'both: {task: face_service, service: {detector: a, embedder: b}, adapter: "m:C", weights: {},' \
                     " licence: MIT, source: here}\n"  # fmt: skip
    with pytest.raises(AccordError, match="both"):
        named(tmp_path, "pair", entries=both)


def test_confidences_are_cosines_and_none_where_there_is_no_vector():
    red, grey, black = (np.full((8, 8, 3), colour, np.uint8) for colour in ((200, 0, 0), (90, 90, 90), (0, 0, 0)))
    service = PairedService(Corner(), Corner())
    said = service.compare([red, red, red], [red, grey, black])
    assert said[:2] == pytest.approx([1.0, 1 / np.sqrt(3)]) and said[2] is None


def test_worn_faces_keep_their_size_and_lose_their_detail():
    embedder = Corner()
    stripes = np.zeros((32, 32, 3), np.uint8)
    stripes[::2] = 255
    PairedService(Corner(), embedder, side=8).embed([stripes, stripes[:8, :8]])
    assert embedder.seen[0].shape == (32, 32, 3) and np.ptp(embedder.seen[0]) < 20
    assert np.ptp(embedder.seen[1]) == 255


class Pairwise(Corner):
    """Hands out no templates."""

    embed = property()


def test_a_service_without_templates_says_what_it_compares(monkeypatch, tmp_path):
    monkeypatch.setattr(loading, "load", lambda *_: Pairwise())
    entry = {"name": "far", "adapter": "x:Pairwise"}
    with pytest.raises(AccordError, match="model far: compares pictures without handing out templates"):
        face_services.load(entry, tmp_path)
    assert face_services.load({**entry, "compares": "faces"}, tmp_path)


def test_what_services_compare_is_told(tmp_path):
    far = (
        'far_one: {task: face_service, adapter: "facepp:Client", weights: {}, compares: %s, licence: none, source: x}\n'
    )
    found = named(tmp_path, "pair", "far_one", entries=ENTRIES + far % "pictures")
    assert found.that_compare("templates") == ["pair"] and found.that_compare("faces", "pictures") == ["far_one"]
    assert '"compares": "pictures"' in found.specs["far_one"] and "compares" not in found.specs["pair"]
    for entries in (ENTRIES + far % "voices", ENTRIES.replace('sface", weights', 'sface", compares: faces, weights')):
        with pytest.raises(AccordError):
            named(tmp_path, "pair", "far_one", entries=entries)
