"""Rekognition and Face++ by a local server that speaks their protocols: requests, replies, failures, silence."""

import json
from datetime import UTC, datetime

import fake_faces
import numpy as np
import pytest
from fake_faces import fault, picture, serving

from accord.errors import AccordError
from accord.models import face_calls
from accord.models.adapters import facepp, rekognition
from accord.models.aws_signature import Keys, Scope, signed
from accord.models.protocols import Answer

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "hidden-a",
    "AWS_SESSION_TOKEN": "",
    "FACEPP_API_KEY": "hidden-b",
    "FACEPP_API_SECRET": "hidden-c",
}
ONE, OTHER, TWO, NOBODY = picture(0, 100), picture(150), picture(100, 0, 200), picture(0, 0)
BUSY = (403, {}, {"error_message": "CONCURRENCY_LIMIT_EXCEEDED"})
BOX = {"Left": 0.1, "Top": 0.1, "Width": 0.2, "Height": 0.2}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def amazon(address, **more):
    return rekognition.Client({}, region="eu-west-1", address=f"{address}/", now=lambda: NOW, **more)


def face_plus(address, **more):
    return facepp.Client({}, address=f"{address}/facepp/v3", **more)


SERVICES = pytest.mark.parametrize(
    ("client", "speaks"), [(amazon, fake_faces.rekognition), (face_plus, fake_faces.facepp)]
)


def test_a_session_token_that_no_header_can_have_is_not_told(monkeypatch):
    monkeypatch.setenv("AWS_SESSION_TOKEN", "TOKEN\nabc")
    with pytest.raises(AccordError, match="the environment variable AWS_SESSION_TOKEN has a line break") as error:
        amazon("http://127.0.0.1:1")
    assert "abc" not in str(error.value)


def test_a_line_break_after_a_session_token_is_not_part_of_it(monkeypatch):
    monkeypatch.setenv("AWS_SESSION_TOKEN", "TOKEN\n")
    with serving(lambda action, fields, _: fake_faces.rekognition(action, fields)) as (address, _asked):
        assert len(amazon(address).detect([ONE])[0].boxes) == 1


@SERVICES
def test_faces_are_found_in_px_of_the_picture_that_was_given(client, speaks):
    with serving(lambda action, fields, _: speaks(action, fields)) as (address, _asked):
        found = client(address).detect([ONE, TWO, NOBODY])
    assert found[0].boxes.tolist() == [pytest.approx([40, 0, 80, 79.2 if client is amazon else 80])]
    assert found[1].boxes[:, [0, 2]].tolist() == [pytest.approx([0, 40]), pytest.approx([80, 120])]
    assert found[2].boxes.shape == (0, 4) and len(found[2].labels) == 0
    assert found[0].scores.tolist() == [0.995 if client is amazon else 1.0] and found[0].labels == ["face"]


def test_boxes_of_a_picture_that_was_made_small_are_brought_back():
    large = np.zeros((200, 400, 3), np.uint8)
    answer = {"faces": [{"face_rectangle": {"left": 10, "top": 5, "width": 20, "height": 10}}]}
    with serving(lambda *_: (200, {}, answer)) as (address, _asked):
        assert face_plus(address, side=100).detect([large])[0].boxes.tolist() == [[40, 20, 120, 60]]


@SERVICES
def test_a_score_is_the_service_s_own_and_none_where_it_gives_none(client, speaks):
    with serving(lambda action, fields, _: speaks(action, fields)) as (address, asked):
        made = client(address)
        assert made.compare([ONE, ONE, ONE], [ONE, OTHER, NOBODY]) == [0.95, 0.45, None]
        assert made.match(ONE, TWO).answer == face_calls.SEVERAL
        assert made.match(NOBODY, ONE).answer == face_calls.NONE
    assert len(asked) == 5 and not made.external


def test_what_is_sent_is_signed_as_the_documentation_says():
    with serving(lambda action, fields, _: fake_faces.rekognition(action, fields)) as (address, asked):
        amazon(address).compare([ONE], [OTHER])
    told = asked[0]
    assert told["headers"]["X-Amz-Target"] == "RekognitionService.CompareFaces"
    assert told["headers"]["Content-Type"] == "application/x-amz-json-1.1"
    assert list(told["fields"]) == ["SourceImage", "TargetImage", "SimilarityThreshold"]
    kept = {name: told["headers"][name] for name in ("Content-Type", "X-Amz-Target")}
    scope = Scope("eu-west-1", "rekognition")
    again = signed("POST", f"{address}/", kept, told["body"], Keys("AKIDEXAMPLE", "hidden-a"), scope, NOW)
    assert told["headers"]["Authorization"] == again["Authorization"] and b"Exif" not in told["body"]
    assert "20260102/eu-west-1/rekognition/aws4_request" in again["Authorization"]


def test_face_plus_plus_gets_form_fields_and_its_thresholds_are_its_version():
    with serving(lambda action, fields, _: fake_faces.facepp(action, fields)) as (address, asked):
        version = face_plus(address).match(ONE, OTHER).version
    assert version == "1e-3 62.327, 1e-4 69.101, 1e-5 73.975"
    assert asked[0]["headers"]["Content-Type"] == "application/x-www-form-urlencoded"
    assert sorted(asked[0]["fields"]) == ["api_key", "api_secret", "image_base64_1", "image_base64_2"]
    assert (asked[0]["fields"]["api_key"], asked[0]["fields"]["api_secret"]) == ("hidden-b", "hidden-c")


@pytest.mark.parametrize(
    ("client", "speaks", "failures", "waits"),
    [
        (amazon, fake_faces.rekognition, [fault("ThrottlingException"), fault("InternalServerError", 500)], [1.0, 2.0]),
        (amazon, fake_faces.rekognition, [(429, {"Retry-After": "7"}, {}), fault("X", 503)], [7.0, 2.0]),
        (amazon, fake_faces.rekognition, [fault("ProvisionedThroughputExceededException")], [1.0]),
        (face_plus, fake_faces.facepp, [BUSY, (502, {}, b"<html>")], [1.0, 2.0]),
        (face_plus, fake_faces.facepp, [(200, {}, b"not JSON"), (200, {}, {"faces1": 1})], [1.0, 2.0]),
    ],
)
def test_a_failure_that_passes_is_waited_for(client, speaks, failures, waits):
    pauses = []
    with serving(lambda action, fields, n: failures[n] if n < len(failures) else speaks(action, fields)) as (at, _):
        assert client(at, sleep=pauses.append).compare([ONE], [ONE]) == [0.95]
    assert pauses == waits


@pytest.mark.parametrize(
    ("client", "reply", "said"),
    [
        (amazon, fault("ThrottlingException"), "status 400 (ThrottlingException)"),
        (amazon, fault("InternalServerError", 500), "status 500 (InternalServerError)"),
        (amazon, fault("InvalidParameterException"), "status 400 (InvalidParameterException)"),
        (amazon, (200, {}, {"FaceDetails": [{"BoundingBox": BOX, "Confidence": float("nan")}]}), "protocol"),
        (amazon, (200, {}, {"FaceDetails": [{"BoundingBox": {**BOX, "Width": 0}, "Confidence": 9}]}), "protocol"),
        (amazon, (200, {}, {"FaceDetails": [{"BoundingBox": {**BOX, "Left": 1.5}, "Confidence": 9}]}), "protocol"),
        (amazon, (200, {}, {"FaceDetails": [{"BoundingBox": BOX, "Confidence": 900}]}), "protocol"),
        (amazon, (200, {}, {"FaceDetails": 3}), "protocol"),
        (face_plus, BUSY, "status 403 (CONCURRENCY_LIMIT_EXCEEDED)"),
        (face_plus, (200, {}, []), "protocol"),
    ],
)
def test_a_failure_that_stays_is_told_by_its_code_alone(client, reply, said):
    with serving(lambda *_: reply) as (address, asked):
        made = client(address, sleep=lambda _: None)
        answer = made.find(ONE).answer
        with pytest.raises(AccordError, match="could not be asked for faces"):
            made.detect([ONE])
    assert answer.status == "failed" and said in answer.reason and not answer.text
    assert "AKID" not in answer.reason and asked


@pytest.mark.parametrize(
    ("client", "reply"),
    [
        (amazon, fault("ImageTooLargeException")),
        (amazon, fault("InvalidImageFormatException")),
        (face_plus, (400, {}, {"error_message": "IMAGE_ERROR_UNSUPPORTED_FORMAT: image_base64"})),
        (face_plus, (413, {}, b"Request Entity Too Large")),
    ],
)
def test_a_picture_that_is_not_taken_is_a_row_and_stops_nothing(client, reply):
    with serving(lambda *_: reply) as (address, asked):
        answer = client(address).find(ONE).answer
    assert answer.status == "refused" and "doesn't take the picture" in answer.reason and len(asked) == 1


@pytest.mark.parametrize(
    ("client", "reply", "said"),
    [
        (amazon, fault("AccessDeniedException"), "AccessDeniedException, status 400"),
        (amazon, fault("InvalidSignatureException"), "InvalidSignatureException, status 400"),
        (amazon, (403, {}, b"no"), "status 403"),
        (amazon, fault("AKIDEXAMPLEException"), "status 400"),
        (face_plus, (401, {}, {"error_message": "HIDDEN_B: of a person"}), "status 401"),
        (face_plus, (401, {}, {"error_message": "AUTHENTICATION_ERROR"}), "AUTHENTICATION_ERROR, status 401"),
        (face_plus, (403, {}, {"error_message": "AUTHORIZATION_ERROR:hidden-b"}), "AUTHORIZATION_ERROR, status 403"),
        (face_plus, (404, {}, {"error_message": "API_NOT_FOUND"}), "API_NOT_FOUND, status 404"),
        (face_plus, (400, {}, {"error_message": 7}), "status 400"),
    ],
)
def test_a_refusal_of_all_calls_stops_and_tells_no_key(client, reply, said):
    with serving(lambda *_: reply) as (address, asked), pytest.raises(AccordError) as error:
        client(address).find(ONE)
    assert [problem.what for problem in error.value.problems] == [f"refuses to work ({said})"] and len(asked) == 1
    assert not any(secret in str(error.value) for secret in ("hidden", "AKID", "/9j/"))


@pytest.mark.parametrize(
    "answer",
    [
        {"FaceMatches": [{"Similarity": 101}]},
        {"FaceMatches": [{"Similarity": "95"}]},
        {"FaceMatches": [{"Similarity": float("nan")}]},
        {"FaceMatches": None},
        {"FaceMatches": [{}]},
        [],
    ],
)
def test_a_score_that_can_t_be_right_is_none(answer):
    with serving(lambda *_: (200, {}, answer)) as (address, _asked):
        made = amazon(address, sleep=lambda _: None)
        assert made.compare([ONE], [ONE]) == [None]
        assert made.match(ONE, ONE).answer == Answer("", "failed", "the service's answer is not of the protocol")


def test_keys_come_from_the_environment_and_travel_encrypted(monkeypatch):
    with pytest.raises(AccordError, match="https required"):
        rekognition.Client({}, region="x", address="http://example.org/")
    assert rekognition.Client({}, region="eu-west-1").external and facepp.Client({}).external
    monkeypatch.delenv("FACEPP_API_SECRET")
    with pytest.raises(AccordError, match="the environment variable FACEPP_API_SECRET is not set"):
        facepp.Client({})


def test_a_server_that_is_not_there_is_a_failed_call():
    with serving(lambda *_: BUSY) as (address, _asked):
        made = face_plus(address, sleep=lambda _: None)
    assert made.match(ONE, ONE).answer == Answer("", "failed", "no connection")


def test_boxes_survive_the_vault():
    boxes = face_calls.inside([[1.25, 2, 30, 40]], [0.5], (50, 50, 3))
    again = face_calls.boxes_of(Answer(json.loads(json.dumps(face_calls.boxes_text(boxes)))), "x")
    assert again.boxes.tolist() == [[1.25, 2, 30, 40]] and again.scores.tolist() == [0.5]


def test_an_answer_of_more_faces_than_a_picture_shows_is_not_taken():
    most = [[1, 2, 30, 40]] * face_calls.MOST_FACES
    assert len(face_calls.inside(most, np.ones(len(most)), (50, 50, 3)).boxes) == len(most)
    assert face_calls.inside([*most, most[0]], np.ones(len(most) + 1), (50, 50, 3)) is None
