"""A shard is looked at once: what is the same is taken over, byte for byte what a look at everything gives."""

import csv
import json
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.abuse import quarantine
from accord.checks import look
from accord.checks.files import pixels
from accord.checks.looking import lookers, safety
from accord.checks.looking.lookers import Keeper, Looker
from accord.checks.personal import bystanders
from accord.checks.tables.findings import Findings, Images
from accord.consent.tables import Permits
from accord.engine import kept, step, table
from accord.engine.parameter_types import Former
from accord.intake.tables import Attributes, Keypoints, People, Regions, Segments

SETTINGS = {
    "min_device_year": 2011, "min_megapixels": 0.01, "min_side": 32, "max_aspect": 2.0, "require_exif": False,
    "max_box_overhang": 0.1, "max_face_outside": 0.1, "max_keypoint_distance": 0.1, "text_side": 96, "max_nudity": 0.5,
    "max_km_abroad": 50, "max_days_apart": 1, "min_text_score": 0.5, "min_bystander": 0.2, "logo_score": 0.6,
}  # fmt: skip
PLAIN = """
import numpy as np

class Plain:
    def __init__(self, weights):
        pass

    def maps(self, pictures):
        return np.stack([np.full((2, 7, 7), picture.mean()) for picture in pictures])

    def embed(self, pictures):
        return [np.array([3.0, 4.0]) for _ in pictures]
"""
SHIRT = [10.0, 10.0, 60.0, 10.0, 60.0, 60.0, 10.0, 60.0]


@pytest.fixture
def decoded(monkeypatch):
    """How many times pictures were decoded at their full size."""
    calls: list[int] = []
    decode = pixels.decode

    def counted(data: bytes, most: int) -> np.ndarray:
        calls.append(1)
        return decode(data, most)

    monkeypatch.setattr(pixels, "decode", counted)
    return calls


@pytest.fixture
def looking(shard, photo, jpeg, tmp_path, monkeypatch, decoded):
    """Look at images (name -> seed of its picture, None for a broken file): bytes of each output, pictures decoded."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text(PLAIN)
    (tmp_path / "brands.csv").write_text("brand\nQuillon\n")
    model = {"name": "plain", "task": "embed", "adapter": f"{tmp_path}/plain.py:Plain", "weights": {}, "options": {}}
    told = {"models": {"picture": model, "face": model, "logo": None}, "weights": tmp_path, "max_pixels": 10**6}

    def write(name: str, rows: list, of: type[table.Table]) -> str:
        table.write(table.rows(rows, of), of, Path(f"{name}.parquet"))
        return f"{name}.parquet"

    def make(files: dict, folder: str, attributes=(), lists=(), **changed) -> tuple[dict[str, bytes], int]:
        broken = b"\xff\xd8\xff\xe0 no picture"
        images, bundle = shard({n: broken if s is None else jpeg(photo(s, 96, 72)) for n, s in files.items()})
        names = sorted(files)
        inputs = {
            "images": write("images", images.to_dict("records"), Images), "bundle": str(bundle),
            "people": write("people", [], People), "keypoints": write("keypoints", [], Keypoints),
            "segments": write("segments", [(n, "s1", 20, 1, SHIRT, "") for n in names], Segments),
            "regions": write("regions", [], Regions), "permits": write("permits", [], Permits),
            "attributes": write("attributes", [(n, "", "scene", v, "") for n, v in attributes], Attributes),
            "brands": "brands.csv", "vault": "vault", "settings": json.dumps({**SETTINGS, **changed}),
            **{name: json.dumps(value) if isinstance(value, dict) else str(value) for name, value in told.items()},
        }  # fmt: skip
        outs = {name: Path(folder, f"{name}.parquet") for name in look.Looked._fields}
        argv = [text for name, value in inputs.items() for text in (f"--{name.replace('_', '-')}", value)]
        argv += ["--lists", *map(str, lists), "--words", "--gallery"]
        argv += [text for name, path in outs.items() for text in (f"--out-{name.replace('_', '-')}", str(path))]
        decoded.clear()
        step.run_step("checks.look", argv)
        return {name: path.read_bytes() for name, path in outs.items()}, len(decoded)

    return make


def test_what_is_the_same_is_taken_over_byte_for_byte(looking):
    """One project through its life, each time held against a look at everything."""
    files = {"a": 1, "b": 2, "c": None, "d": 3}
    fresh = (f"fresh{number}" for number in count())
    looked: dict[str, tuple] = {}

    def whole_of(files: dict, **changed) -> tuple[dict[str, bytes], int]:
        """A look at everything, one for the same files and settings."""
        key = repr((files, changed))
        if key not in looked:
            looked[key] = looking(files, next(fresh), **changed)
        return looked[key]

    def agrees(files: dict, decodes: int, **changed) -> dict[str, bytes]:
        again, seen = looking(files, "kept", **changed)
        whole, all_seen = whole_of(files, **changed)
        assert again == whole
        assert (seen, all_seen) == (decodes, len(files))
        return again

    agrees(files, 4)
    agrees(files, 0)
    agrees(dict(reversed(files.items())), 0)
    agrees({"b": 2, "c": None, "d": 3, "e": 4}, 1)
    left = agrees({"b": 2, "d": 3, "e": 5}, 1)
    assert not any(b'"a"' in data or b'"c"' in data for data in left.values())
    agrees({"b": 2, "d": 3, "e": 5}, 0, max_box_overhang=0.2)
    agrees({"b": 2, "d": 3, "e": 5}, 3, max_nudity=0.0)
    agrees({"b": 2, "d": 3, "e": 5}, 1, max_nudity=0.0, attributes=[("d", "3. Outdoor: Man-made elements")])
    Path("kept/looks.parquet").write_bytes(b"PAR1")
    agrees({"b": 2, "d": 3, "e": 5}, 3)
    agrees({}, 0)  # everybody of the shard was erased
    agrees({"b": 2}, 1)


def test_a_whole_picture_is_made_small_and_searched_for_faces_once(looking, monkeypatch):
    calls: list[str] = []
    for module, name in ((pixels, "thumbnail"), (pixels, "faces_yunet"), (bystanders, "faces_yunet")):
        real = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda seen, name=name, real=real: calls.append(f"{name} {seen.shape}") or real(seen)
        )
    looking({"a": 1, "b": 2}, "out")
    assert sorted(calls) == [*["faces_yunet (72, 96, 3)"] * 2, *["thumbnail (72, 96, 3)"] * 2]


def test_what_is_on_a_list_is_looked_at_by_nothing_else(looking, tmp_path, monkeypatch):
    files = {"a": 1, "b": 2}
    first, _ = looking(files, "kept")
    prints = pd.read_parquet(Path("kept/fingerprints.parquet")).set_index("image")
    listed = tmp_path / "known.csv"
    with listed.open("w") as file:
        csv.writer(file).writerows([["pdq"], [prints.at["b", "pdq"]]])
    again, decodes = looking(files, "kept", lists=[listed])
    assert decodes == 0
    assert again == looking(files, "fresh", lists=[listed])[0]
    for name in ("texts", "safety", "consistency", "personal_data", "looks", "clothes", "cleared"):
        assert "b" not in set(pd.read_parquet(Path(f"kept/{name}.parquet"))["image"])
        assert "b" not in (kept.digests(Path(f"kept/{name}.parquet")) or {})
    assert [one["image"] for one in quarantine.records(tmp_path / "vault")] == ["b"]
    monkeypatch.setattr(safety, "run", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        looking({"a": 1, "x": 2}, "other", lists=[listed])
    assert [one["image"] for one in quarantine.records(tmp_path / "vault")] == ["b", "x"]
    assert len(first) == len(look.Looked._fields)


IMAGES = st.dictionaries(st.sampled_from("abcde"), st.integers(1, 2), max_size=5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(IMAGES, st.integers(1, 2), st.booleans()), min_size=1, max_size=4))
def test_a_looker_sees_again_what_changed_alone(tmp_path_factory, worlds):
    folder, past = tmp_path_factory.mktemp("looker"), {}
    for files, limit, has_attribute in worlds:
        seen: list[str] = []
        result = _seen(files, limit, has_attribute, Former(out=folder / "out.parquet"), seen)
        whole = _seen(files, limit, has_attribute, Former(), [])
        pd.testing.assert_frame_equal(result.rows, whole.rows)
        assert result.digests == whole.digests
        now = {image: (version, limit, has_attribute and image == "a") for image, version in files.items()}
        assert sorted(seen) == sorted(image for image in now if past.get(image) != now[image])
        table.write(result.rows, Findings, folder / "out.parquet", None, result.digests)
        past = now


def _seen(files: dict, limit: int, has_attribute: bool, former: Former, seen: list[str]):
    images = pd.DataFrame({"image": list(files), "version": list(files.values()), "offset": range(len(files))})
    own = {"a": kept.digest(has_attribute)} if has_attribute else {}

    def look_at(some: pd.DataFrame, _) -> tuple:
        seen.extend(some["image"])
        made = [
            (row.image, "x", float(row.version), float(limit), "pass", str(row.image in own))
            for row in some.itertuples()
        ]
        return (table.rows(made, Findings),)

    digests = kept.by_item(images.drop(columns=[name for name in lookers.PLACE if name in images]))
    keeper = Keeper(Looker("looking.texts", {"out": Findings}, limit, (own,), look_at), digests, former)
    keeper.look(images, None)
    return keeper.result(images["image"])["out"]
