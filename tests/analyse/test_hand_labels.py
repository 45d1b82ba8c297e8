"""Hand labels: what most raters say of a face, and what a Rapid Test makes of them in place of annotations."""

import pytest
import test_rapid

from accord.analyse import hand_labels, rapid
from accord.analyse.identities.tables import HandLabels
from accord.engine import table
from accord.evaluate import identity_items
from accord.review.database import accounts, store, work
from accord.review.drawn.outlines import Region
from accord.review.tables import IdentityVotes

made = test_rapid.made


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ((1,), 1), ((0,), 0), ((-1,), -1), ((1, 0), -1), ((1, 1, 0), 1), ((1, 0, -1), -1), ((0, 0, -1), 0),
        ((1, -1), -1), ((1, 1, 0, 0), -1),
    ],
)  # fmt: skip
def test_more_than_half_of_the_votes_decide(votes, label):
    told = table.rows([("k", f"r{n}", vote) for n, vote in enumerate(votes)], IdentityVotes)
    assert hand_labels.majority(told) == {"k": label}


def test_votes_on_the_page_become_labels_of_what_is_asked_now(tmp_path, made):
    asked = identity_items.run(made["faces"], share=0.1)
    assert hand_labels.run(asked, vault=tmp_path / "none").empty
    vault = tmp_path / "vault"
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", "correct horse battery")
        work.add_items(db, asked)
        work.assign(db, "identities", ["ada"], 1)
        said = dict(zip(asked["item"][:3], ("same", "other", ""), strict=True))
        for item, word in said.items():
            work.vote(db, "ada", item, *(("uphold", [Region(word, ())]) if word else ("dismiss",)))
    found = hand_labels.run(asked, vault=vault)
    wanted = dict(zip(asked["image"][:3], (1, 0, -1), strict=True))
    assert dict(found.itertuples(index=False)) == wanted
    assert len(hand_labels.run(asked[1:], vault=vault)) == 2


def test_a_test_is_held_against_people_of_the_drawn_queries_alone(made):
    """People who contradict the annotation on one face of each drawn query are believed."""
    how = {
        "names": ["pronoun"],
        "rapid": test_rapid.HOW,
        "min_faces": 8,
        "min_subjects": 4,
        "bootstraps": 50,
        "seed": 1,
    }
    asked = identity_items.run(made["faces"], share=0.25)
    whom = made["queries"].set_index("image")["subject"]
    right = [int(whom[row.image] == row.subject) for row in asked.itertuples()]
    wrong = ~asked.duplicated("subject").to_numpy()
    labels = [1 - label if is_wrong else label for label, is_wrong in zip(right, wrong, strict=True)]
    hand = table.rows(zip(asked["image"], labels, strict=True), HandLabels)
    known = rapid.run(**made, **how).accuracy.set_index(["rule", "measure"])
    found = rapid.run(**made, hand=hand, by_hand=True, **how)
    told = found.accuracy.set_index(["rule", "measure"])
    labelled, agreed = told.loc[("published", "labelled")], told.loc[("published", "right")]
    assert (labelled["queries"], labelled["faces"]) == (6, 6 * 12) and known["faces"].max() == 24 * 12
    assert agreed["faces"] - agreed["hits"] == 6 and (known.loc[("published", "right"), "share"]) == 1
    assert found.agreement["faces"].sum() == len(hand)
    nobody = table.empty(HandLabels)
    assert rapid.run(**made, hand=nobody, by_hand=True, **how).accuracy.empty
    assert rapid.run(**made, hand=nobody, **how).accuracy.equals(rapid.run(**made, **how).accuracy)
