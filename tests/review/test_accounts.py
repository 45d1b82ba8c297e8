"""Accounts: passwords are hashed with argon2id, names tell nothing, and roles are kept in the chain."""

import time

import pytest
from review_cases import PASSWORD, asked, some

from accord.errors import AccordError
from accord.review.database import accounts, store, work


def test_who_signs_in_is_told_with_their_role(vault):
    with store.opened(vault) as db:
        made = accounts.add(db, "ada", accounts.ADJUDICATOR, PASSWORD)
        assert (
            accounts.authenticate(db, "ada", PASSWORD) == made == accounts.Reviewer(made.id, "ada", "adjudicator", True)
        )
        assert accounts.authenticate(db, "ada", PASSWORD + " ") is None
        assert accounts.authenticate(db, "bob", PASSWORD) is None
        assert accounts.authenticate(db, "ada", "x" * 100_000) is None
        assert accounts.authenticate(db, "ada", "\ud800" * 20) is None


def test_all_that_is_wrong_is_told_at_once(vault):
    with store.opened(vault) as db, pytest.raises(AccordError) as told:
        accounts.add(db, "Ada Lovelace", "boss", "short")
    assert [(p.where, p.what) for p in told.value.problems] == [
        ("name", "not a valid user name"),
        ("role", "is unknown"),
        ("password", "is too short or too long"),
    ]
    assert "short" not in str(told.value).replace("is too short or too long", "")


def test_a_name_is_taken_once(vault):
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", PASSWORD)
        with pytest.raises(AccordError, match="already has an account"):
            accounts.add(db, "ada", "admin", PASSWORD)
        with pytest.raises(AccordError, match="already has an account"):
            accounts.add(db, " a\uff44a", "admin", PASSWORD)
        assert accounts.authenticate(db, "\uff41da ", PASSWORD).name == "ada"
        assert [one.role for one in accounts.reviewers(db)] == ["reviewer"]


def test_a_new_password_replaces_the_old_one(vault):
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", PASSWORD)
        accounts.set_password(db, "ada", "another battery staple")
        assert accounts.authenticate(db, "ada", PASSWORD) is None
        assert accounts.authenticate(db, "ada", "another battery staple").name == "ada"
        with pytest.raises(AccordError, match="has no account"):
            accounts.set_password(db, "bob", PASSWORD)


def test_the_same_letters_typed_in_another_way_are_the_same_password(vault):
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", "caf\u00e9 au lait, s'il")
        assert accounts.authenticate(db, "ada", "cafe\u0301 au lait, s'il")


def test_passwords_are_argon2id_with_the_work_that_is_recommended(vault, real_hashes):
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", PASSWORD)
        (digest,) = db.execute("SELECT password FROM reviewer").fetchone()
    assert digest.startswith("$argon2id$v=19$m=65536,t=3,p=4$")  # RFC 9106, second recommended option
    assert PASSWORD.encode() not in store.path(vault).read_bytes()


def test_an_unknown_name_takes_as_long_as_a_wrong_password(vault, real_hashes):
    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", PASSWORD)

        def fastest(name):
            took = []
            for _ in range(2):
                start = time.process_time()
                assert accounts.authenticate(db, name, "wrong but long enough") is None
                took.append(time.process_time() - start)
            return min(took)

        assert 0.4 < fastest("nobody") / fastest("ada") < 2.5


def test_a_hash_of_less_work_is_renewed_at_sign_in(vault, monkeypatch):
    from argon2 import PasswordHasher

    with store.opened(vault) as db:
        accounts.add(db, "ada", "reviewer", PASSWORD)
        monkeypatch.setattr(accounts, "_hasher", lambda: PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
        assert accounts.authenticate(db, "ada", PASSWORD)
        (digest,) = db.execute("SELECT password FROM reviewer").fetchone()
    assert "$m=16,t=2,p=1$" in digest


def test_who_is_out_of_use_can_do_nothing_and_what_they_said_stays(vault):
    with asked(vault, some(2)) as db:
        work.vote(db, "ada", "i00", "uphold")
        accounts.deactivate(db, "ada")
        accounts.deactivate(db, "ada")
        assert accounts.authenticate(db, "ada", PASSWORD) is None
        for refused in (lambda: work.take(db, "ada", "logos"), lambda: work.vote(db, "ada", "i01", "drop")):
            with pytest.raises(AccordError, match="has an inactive account"):
                refused()
        work.vote(db, "bob", "i00", "uphold")
        work.vote(db, "bob", "i01", "uphold")
        assert [item for item, *_ in work.decided(db)[["item"]].itertuples(index=False)] == ["i00"]
        assert work.assign(db, "logos", ["bob", "cyd"], 2) == 1
        assert work.waiting(db, "cyd") == {"logos": 1}
        states = db.execute("SELECT role, state FROM account JOIN reviewer USING (reviewer, role) WHERE name = 'ada'")
        assert states.fetchall() == [("reviewer", "active"), ("reviewer", "inactive")]
