"""Drawings of one thing go to different people."""

from review_cases import asked, items

from accord.review.database import work

TRIO = ("ada", "bob", "cyd")


def drawings(count, turns=3):
    rows = [
        {
            "item": f"{kind}{n}t{turn}",
            "image": f"img{n}",
            "subject": f"sub{n}",
            "region": f"{kind}/{turn}",
            "kind": kind,
        }
        for n in range(count)
        for kind in ("face_box", "person_mask")
        for turn in range(1, turns + 1)
    ]
    return items(*rows, queue="agreement", check="agreement", polygon=[])


def mine(db, name):
    found = []
    while one := work.take(db, name, "agreement", found[-1] if found else ""):
        found.append(one.item)
    return found


def test_nobody_draws_a_thing_twice(vault):
    with asked(vault, drawings(12), TRIO, votes=1) as db:
        for name in TRIO:
            things = [item.split("t")[0] for item in mine(db, name) if item.startswith("face")]
            assert sorted(things) == sorted(f"face_box{n}" for n in range(12))
            assert len(mine(db, name)) == 24


def test_with_too_few_people_some_drawings_wait_for_another(vault):
    with asked(vault, drawings(4), ("ada", "bob"), votes=1) as db:
        assert len(mine(db, "ada")) == len(mine(db, "bob")) == 8
        assert work.assign(db, "agreement", ["ada", "bob"], 1) == 0
        assert work.assign(db, "agreement", ["ada", "bob", "cyd"], 1) == 8
        assert len(mine(db, "cyd")) == 8
