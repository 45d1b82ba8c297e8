"""C2PA claims, read back by the reference implementation: in painted pictures, in no others, with nothing else."""

import io
import json
import shutil
import struct
import zlib

import c2pa as reference
import numpy as np
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from PIL import Image

from accord.errors import AccordError
from accord.imaging.decode import decode
from accord.release import import_fhibe
from accord.release.claims import c2pa, c2pa_keys
from accord.release.format import fhibe
from accord.release.seal.verification import verify

FACE = (60.0, 24, 100, 24, 100, 66, 60, 66)
"""The face of img-1's first person, px of the original."""

MODEL = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
RULE = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced"


@pytest.fixture(scope="module")
def published(tmp_path_factory, shards, tiny):
    """A house with one version; of its images, img-1 has a painted corner, where no face is."""
    house = tiny.House(tmp_path_factory.mktemp("c2pa"), shards)
    house.publish()
    return house


def pictures(house, version: str = "1.0.0") -> dict[str, bytes]:
    return {name: data for name, data in house.bytes_of(version).items() if name.endswith(".png")}


def claimed(found: dict[str, bytes]) -> dict[str, bytes]:
    """The pictures that the reference implementation finds a claim in."""
    return {n: d for n, d in found.items() if reference.Reader.try_create("image/png", io.BytesIO(d)) is not None}


def read(data: bytes, trusted: bytes = b"") -> tuple[str, dict, dict]:
    """(validation state, validation results, active manifest) of a picture."""
    settings = {"trust": {"trust_anchors": trusted.decode()}} if trusted else {}
    context = reference.Context.from_dict(settings)
    with reference.Reader("image/png", io.BytesIO(data), context=context) as reader:
        return reader.get_validation_state(), reader.get_validation_results(), reader.get_active_manifest()


def codes(results: dict, kind: str) -> set[str]:
    return {one["code"] for one in results["activeManifest"][kind]}


def chunks(data: bytes) -> list[bytes]:
    """The names of a PNG's chunks, their checksums checked."""
    names, position = [], 8
    while position < len(data):
        length, name = struct.unpack(">I4s", data[position : position + 8])
        body = data[position + 8 : position + 8 + length]
        assert data[position + 8 + length : position + 12 + length] == struct.pack(">I", zlib.crc32(name + body))
        names.append(name)
        position += 12 + length
    return names


def test_whole_pictures_that_were_painted_have_a_claim_and_no_others(published):
    found = pictures(published)
    names = {name.rsplit("/", 1)[0].split("/", 3)[-1] for name in claimed(found)}
    assert len(claimed(found)) == 2 and len(names) == 1  # img-1, downsampled and in full
    assert all("/main_" in name for name in claimed(found))
    assert all(
        chunks(data) == [b"IHDR", b"IDAT", b"IEND"] for name, data in found.items() if name not in claimed(found)
    )
    assert all(chunks(data)[:2] == [b"IHDR", b"caBX"] for data in claimed(found).values())


def test_a_claim_is_valid_and_its_signer_known_to_those_who_trust_the_authority(published):
    chain = c2pa_keys.signing(published.vault)[1]
    authority = x509.load_pem_x509_certificates(chain)[-1].public_bytes(serialization.Encoding.PEM)
    for data in claimed(pictures(published)).values():
        state, results, _ = read(data)
        assert (state, codes(results, "failure")) == ("Valid", {"signingCredential.untrusted"})
        assert {"claimSignature.validated", "assertion.dataHash.match"} <= codes(results, "success")
        state, results, _ = read(data, authority)
        assert (state, codes(results, "failure")) == ("Trusted", set())


def test_a_claim_says_what_was_done_and_holds_no_picture_and_no_time(published, tiny):
    for data in claimed(pictures(published)).values():
        _, _, manifest = read(data)
        assert [one["label"] for one in manifest["assertions"]] == ["c2pa.actions.v2"]
        actions = manifest["assertions"][0]["data"]["actions"]
        assert [(a["action"], a["digitalSourceType"]) for a in actions] == [
            ("c2pa.created", MODEL),
            ("c2pa.edited", MODEL),
        ]
        assert "painted over" in actions[1]["description"]
        assert not {"thumbnail", "ingredients", "title"} & manifest.keys()
        assert "time" not in manifest["signature_info"]
        claim = c2pa.without_claim(data)[1]
        assert len(claim) < 5000
        inner = [*tiny.IMAGES, "sub-1", "thumbnail", "ingredient", "JFIF", "IDAT", "card", "tiny", "1.0.0"]
        assert [word for word in inner if word.encode() in claim] == []


def test_a_changed_pixel_is_told(published):
    for data in claimed(pictures(published)).values():
        plain, claim = c2pa.without_claim(data)
        pixels = decode(plain).copy()
        pixels[-1, -1, 0] ^= 1
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "PNG", compress_level=3)
        state, results, _ = read(c2pa.with_claim(buffer.getvalue(), claim))
        assert state == "Invalid"
        assert "assertion.dataHash.mismatch" in codes(results, "failure")


def test_the_pixels_are_those_without_the_claim(published):
    for data in claimed(pictures(published)).values():
        plain, claim = c2pa.without_claim(data)
        assert chunks(plain) == [b"IHDR", b"IDAT", b"IEND"]
        np.testing.assert_array_equal(decode(data), decode(plain))
        assert c2pa.with_claim(plain, claim) == data
        assert c2pa.without_claim(plain) == (plain, b"")


@pytest.mark.parametrize(
    ("polygon", "faces"), [(FACE, 2), ((1.0, 1, 4, 1, 4, 4), 0), ((180.0, 110, 190, 110, 190, 118), 0)]
)
def test_a_face_has_a_claim_where_what_was_painted_reaches_into_it(tmp_path, shards, tiny, polygon, faces):
    house = tiny.House(tmp_path, shards)
    house.edits = [tiny.edit("img-3", polygon)]
    only = {"img-3": ("large", [tiny.Person("sub-3")])}
    house.publish(only, shards=1)
    found = [name for name in claimed(pictures(house)) if "/faces_" in name]
    assert len(found) == faces
    assert len(claimed(pictures(house))) == 2 + faces
    assert not [name for name in claimed(pictures(house)) if name.startswith(fhibe.MASKS)]


@pytest.mark.parametrize(
    ("method", "painted", "source"),
    [("membrane", 4, RULE), ("nothing to paint", 0, None), ("diffusion", 4, MODEL), ("lama", 4, MODEL)],
)
def test_what_no_model_painted_is_not_called_a_models_work(tmp_path, shards, tiny, method, painted, source):
    house = tiny.House(tmp_path, shards)
    house.edits = [tiny.edit("img-1", tiny.CORNER, method, painted)]
    house.publish()
    sources = {
        action["digitalSourceType"]
        for data in claimed(pictures(house)).values()
        for action in read(data)[2]["assertions"][0]["data"]["actions"]
    }
    assert sources == ({source} if source else set())


def test_a_version_is_restored_with_the_very_claims(tmp_path, shards, tiny):
    house = tiny.House(tmp_path, shards)
    first = house.publish()
    before = house.bytes_of("1.0.0")
    shutil.rmtree(house.releases / "1.0.0")
    assert house.publish() == first
    assert house.bytes_of("1.0.0") == before


def test_a_stopped_attempts_claims_are_those_of_the_next(tmp_path, shards, tiny, monkeypatch):
    house = tiny.House(tmp_path, shards)
    with monkeypatch.context() as patch:
        patch.setattr("accord.release.seal.versions.record", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            house.publish()
    kept = {path.read_bytes() for path in (house.vault / "c2pa/img-1").iterdir()}
    house.publish()
    assert {c2pa.without_claim(data)[1] for data in claimed(pictures(house)).values()} == kept


def test_a_picture_keeps_its_claim_in_later_versions(tmp_path, shards, tiny):
    house = tiny.House(tmp_path, shards)
    house.publish({name: tiny.IMAGES[name] for name in ("img-1", "img-2")})
    house.publish()
    one, other = (sorted(claimed(pictures(house, version)).values()) for version in ("1.0.0", "1.1.0"))
    assert len(one) == 2 and one == other


def test_what_is_kept_of_an_image_can_be_forgotten(tmp_path, shards, tiny):
    house = tiny.House(tmp_path, shards)
    house.publish()
    assert [path.name for path in (house.vault / "c2pa").iterdir()] == ["img-1"]
    assert c2pa.forget(house.vault, ["img-1", "img-2"]) == 1
    assert list((house.vault / "c2pa").iterdir()) == []
    assert c2pa.forget(house.vault, ["img-1"]) == 0


def test_a_release_with_claims_verifies_and_reads_back(published, tmp_path):
    verdict = verify(published.releases / "1.0.0")
    assert verdict.problems == []
    whole, files = {"shard": "00", "shards": 1, "terms": {}}, tmp_path / "files.tar"
    read_back = import_fhibe.run(archive=published.releases / "1.0.0", files=files, **whole)
    assert sorted(read_back.derivatives["kind"].unique()) == [
        "downsampled",
        "face_aligned",
        "face_crop",
        "mask",
        "original",
    ]


def test_your_own_certificate_takes_its_place(tmp_path, shards, tiny):
    house = tiny.House(tmp_path, shards)
    key = ec.generate_private_key(ec.SECP256R1())
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    c2pa_keys.signing(house.vault)
    place = house.vault / "keys" / c2pa_keys.NAME
    made = x509.load_pem_x509_certificates(c2pa_keys.signing(house.vault)[1])
    leaf = made[0]
    own = x509.CertificateBuilder().subject_name(leaf.subject).issuer_name(leaf.subject).public_key(key.public_key())
    own = own.serial_number(7).not_valid_before(c2pa_keys.VALID[0]).not_valid_after(c2pa_keys.VALID[1])
    for extension in leaf.extensions:
        own = own.add_extension(extension.value, extension.critical)
    certificate = own.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    place.write_bytes(key.private_bytes(*form) + certificate)
    house.publish()
    infos = [read(data)[2]["signature_info"] for data in claimed(pictures(house)).values()]
    assert [(info["alg"], info["cert_serial_number"]) for info in infos] == [("Es256", "7")] * 2


@pytest.mark.parametrize("content", [b"", b"no key", json.dumps({}).encode()])
def test_a_broken_key_is_told(tmp_path, content):
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / c2pa_keys.NAME).write_bytes(content)
    with pytest.raises(AccordError, match=r"keys/c2pa\.pem in the vault: has no key and certificates for C2PA"):
        c2pa_keys.signing(tmp_path)
