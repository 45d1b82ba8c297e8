"""The viewer: who gets a picture, when it is withheld, what is drawn on it, and what is recorded."""

import io
import stat

import look_cases
import numpy as np
import pytest
from consent_cases import ANN
from look_cases import Visitor
from PIL import Image

from accord import cli
from accord.abuse import quarantine
from accord.look.page import routes
from accord.look.views import log

TRUTH, PREDICTED, GREY = (255, 214, 10), (90, 209, 255), (128, 128, 128)


def seen(answer):
    assert answer.status_code == 200, answer.text
    return np.asarray(Image.open(io.BytesIO(answer.content)), int)


def has(pixels, colour):
    return bool((np.abs(pixels - colour).max(axis=-1) < 60).any())


def test_who_has_the_key_is_let_in_and_nobody_else(house):
    app = look_cases.page(house)
    assert Visitor(app).let_in.status_code == 200
    stranger = Visitor(app, "guess")
    assert stranger.let_in.status_code == 401
    assert stranger.client.get("/api/failures").status_code == 401
    name = Visitor(app).told()["failures"][0]["pictures"]["both"]
    assert stranger.client.get(f"/picture/{name}").status_code == 401
    assert len({routes.new_key() for _ in range(9)}) == 9 and len(routes.new_key()) >= 32


def test_names_of_pictures_are_random_and_good_in_one_session(house):
    app = look_cases.page(house)
    one, other = Visitor(app), Visitor(app)
    name = one.told()["failures"][0]["pictures"]["both"]
    assert other.client.get(f"/picture/{name}").status_code == 404
    assert one.client.get("/picture/i1").status_code == 404
    told = one.told()
    assert {frozenset(row) for row in told["failures"]} == {frozenset({"rank", "value", "pictures"})}
    assert ANN not in str(told) and all(
        len(name) == 22 for row in told["failures"] for name in row["pictures"].values()
    )


def test_nothing_is_stored_by_a_browser(house):
    answer = Visitor(look_cases.page(house)).picture(1)
    assert answer.headers["cache-control"] == "no-store" and answer.headers["content-type"] == "image/jpeg"


def test_a_withdrawal_hides_her_pictures_at_once(house, capsys):
    visitor = Visitor(look_cases.page(house))
    assert visitor.ranks() == [1, 2, 3, 4]
    names = {one["rank"]: one["pictures"]["both"] for one in visitor.told()["failures"]}
    assert house.withdraw("ann") in (0, 3)
    answers = {rank: visitor.client.get(f"/picture/{name}").status_code for rank, name in names.items()}
    assert answers == {1: 404, 2: 200, 3: 404, 4: 404}  # i3 shows bob alone
    assert visitor.ranks() == [2]


def test_a_request_in_the_watched_folder_counts_before_a_run_reads_it(house):
    inbox = house.folder / "inbox"
    inbox.mkdir()
    visitor = Visitor(look_cases.page(house, settings=look_cases.SETTINGS._replace(inbox=inbox)))
    assert visitor.ranks() == [1, 2, 3, 4]
    (inbox / "today.csv").write_text(
        "action,vendor,subject,role,scope,image,on,proof\nwithdraw,acme,bob,,,,2026-06-01,\n"
    )
    assert visitor.ranks() == [4]


def test_a_barred_file_is_never_shown(house):
    hit = quarantine.Hit("i1", ANN, "acme", "d", "I1", "0" * 64, "list", "sha256", "0" * 64, 0)
    quarantine.record(house.vault, [hit])  # all files of these cases have this sha256
    assert Visitor(look_cases.page(house)).ranks() == []


def test_a_ledger_that_was_changed_shows_nothing(house):
    visitor = Visitor(look_cases.page(house))
    names = [one["pictures"]["both"] for one in visitor.told()["failures"]]
    (house.vault / "ledger.sqlite").unlink()
    assert {visitor.client.get(f"/picture/{name}").status_code for name in names} == {409}


def test_what_is_gone_from_the_results_is_gone_here(house):
    visitor = Visitor(look_cases.page(house))
    name = visitor.told()["failures"][0]["pictures"]["both"]
    (house.folder / "results/intake/00/images.parquet").unlink()
    assert visitor.client.get(f"/picture/{name}").status_code == 404


def test_a_bundle_that_was_changed_is_not_shown(house):
    visitor = Visitor(look_cases.page(house))
    tar = house.folder / "results/release/00/files.tar"
    tar.write_bytes(tar.read_bytes().replace(b"IDAT", b"IDAU"))
    assert visitor.picture(1).status_code == 409


@pytest.mark.parametrize(("variant", "truth", "predicted"), [
    ("both", True, True), ("truth", True, False), ("predicted", False, True), ("bare", False, False),
])  # fmt: skip
def test_truth_and_prediction_are_drawn_where_they_are(house, variant, truth, predicted):
    pixels = seen(Visitor(look_cases.page(house)).picture(4, variant))  # i1: the face 80..240 x 120..320
    assert pixels.shape == (look_cases.HEIGHT, look_cases.WIDTH, 3)
    left, right = pixels[110:330, 70:250], pixels[60:340, 380:620]
    assert (has(left, TRUTH), has(right, PREDICTED)) == (truth, predicted)
    assert not has(right, TRUTH) and not has(left, PREDICTED)


def test_where_the_model_found_nothing_the_truth_stands_alone(house):
    pixels = seen(Visitor(look_cases.page(house)).picture(1))
    assert has(pixels, TRUTH) and not has(pixels, PREDICTED)


def test_every_view_is_recorded_and_holds_no_more_than_it_must(house):
    visitor = Visitor(look_cases.page(house))
    name = visitor.told()["failures"][0]["pictures"]["both"]
    visitor.client.get(f"/picture/{name}")
    house.withdraw("ann")
    visitor.client.get(f"/picture/{name}")
    first, second = log.views(house.vault)
    assert (first.image, first.model, first.shown, second.shown) == ("i2", "yunet", True, False)
    assert first.who == log.account() and first._fields == ("at", "who", "image", "model", "shown")
    assert stat.S_IMODE((house.vault / log.NAME).stat().st_mode) == 0o600


def test_views_of_who_was_erased_are_gone_from_the_file_s_bytes(house):
    for image in ("image-of-hers", "i3"):
        log.note(house.vault, image, "yunet", True)
    assert log.forget(house.vault, {"image-of-hers"}) == 1
    assert [one.image for one in log.views(house.vault)] == ["i3"]
    assert b"image-of-hers" not in (house.vault / log.NAME).read_bytes()


def test_views_are_printed_as_json(house, capsys):
    log.note(house.vault, "i3", "yunet", True)
    assert cli.main(["look", "--views", "--vault", str(house.vault)]) == 0
    assert '"image": "i3"' in capsys.readouterr().out


def test_the_command_says_what_is_missing(house):
    results = ["--results", str(house.folder / "results"), "--vault", str(house.vault)]
    for words, said in (([], "MODEL"), (["yunet", *results], "consent.as_of"), (["yunet", "--port", "0"], "--port")):
        with pytest.raises(Exception, match=said):
            cli.main(["look", *words])
