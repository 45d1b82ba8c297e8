"""Whoever changes the ledger past the program is found out, even with a chain that is right in itself."""

import json
import random
import sqlite3
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.consent.ledger import chain, heads, ledger
from accord.consent.ledger.ledger import COMMAND, GRANTED, WITHDRAWN, ConsentEvent, Depicts, Party
from accord.errors import AccordError

BATCHES = 4


def event(name, state, on):
    return ConsentEvent("subject", name, "", "*", state, on, "", COMMAND, "", "", "")


def batch(number):
    names = [f"p{number}{letter}" for letter in "abc"]
    return [
        *(Party(name, "subject_primary") for name in names),
        *(Depicts(f"i{name}", name, "subject_primary") for name in names),
        event(names[0], GRANTED, "2026-01-02"),
        event(names[1], WITHDRAWN, f"2026-02-0{number + 1}"),
    ]


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    """A vault that was written to in several runs, after which somebody was erased; (vault, its older ledgers)."""
    folder, old = tmp_path_factory.mktemp("tampering") / "vault", []
    for number in range(BATCHES):
        with ledger.writing(folder) as opened:
            ledger.append(opened, batch(number))
        old.append(folder.parent / str(number))
        old[-1].write_bytes((folder / ledger.NAME).read_bytes())
    ledger.erase(folder, "p0b")
    with ledger.reading(folder) as opened:
        assert ledger.problems(folder, opened) == []
    return folder, old


class Attack:
    """A way to change a vault; `rows`: what its records are, in order: (table, [salt, recorded_at, ...])."""

    def __init__(self, vault, old, dice):
        self.vault, self.old, self.dice = vault, old, dice
        with self.open() as raw:
            self.entries = chain.entries(raw)
            self.rows = [(table, self._row(raw, table, seq)) for seq, table, *_ in self.entries]

    def open(self):
        raw = sqlite3.connect(self.vault / ledger.NAME, isolation_level=None)
        raw.execute("PRAGMA journal_mode = MEMORY")
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("PRAGMA ignore_check_constraints = ON")
        return raw

    @staticmethod
    def _row(raw, table, seq):
        row = raw.execute(f"SELECT * FROM {table} WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else list(row[1:])

    def forge(self, rows):
        """Write the file anew, with a chain that is right in itself; commitments of erased records are kept."""
        kept = iter([entry[2] for entry, (_, row) in zip(self.entries, self.rows, strict=True) if row is None])
        with self.open() as raw:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            for table in ("chain", *chain.RECORDS):
                raw.execute(f"DELETE FROM {table}")
            before = chain.START
            for seq, (table, row) in enumerate(rows, 1):
                committed = next(kept) if row is None else chain.commitment(table, tuple(row))
                before = chain.link(before, seq, table, committed)
                raw.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (seq, table, committed, before))
                if row is not None:
                    marks = ", ".join("?" * (len(row) + 1))
                    raw.execute(f"INSERT INTO {table} VALUES ({marks})", (seq, *row))

    def some(self, table="consent_event"):
        return self.dice.choice([n for n, (of, row) in enumerate(self.rows) if of == table and row is not None])

    def forge_with(self, at, row):
        self.forge([*self.rows[:at], row, *self.rows[at:]])

    def flipped(self):
        _, row = self.rows[self.some(self.dice.choice(["party", "consent_event", "depicts", "erasure"]))]
        row[self.dice.randrange(len(row))] += "x"
        self.rewrite_records()

    def rewrite_records(self):
        with self.open() as raw:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            for seq, (table, row) in enumerate(self.rows, 1):
                raw.execute(f"DELETE FROM {table} WHERE seq = ?", (seq,))
                if row is not None:
                    raw.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(row) + 1))})", (seq, *row))

    def deleted_record(self):
        self.rows[self.some()] = ("consent_event", None)
        self.rewrite_records()

    def deleted_event(self):
        at = self.some()
        self.forge([*self.rows[:at], *self.rows[at + 1 :]])

    def duplicated_event(self):
        at = self.some()
        self.forge_with(self.dice.randrange(at + 1, len(self.rows) + 1), self.rows[at])

    def reordered_events(self):
        one, other = self.dice.sample([n for n, (_, row) in enumerate(self.rows) if row is not None], 2)
        self.rows[one], self.rows[other] = self.rows[other], self.rows[one]
        self.forge(self.rows)

    def changed_event_with_a_new_chain(self):
        _, row = self.rows[self.some()]
        row[6], row[7] = self.dice.choice([(GRANTED, "2020-01-01"), (WITHDRAWN, "2019-01-01")])
        self.forge(self.rows)

    def back_dated_event_in_between(self):
        at = self.dice.randrange(len(self.rows))
        stamp = min(row[1] for _, row in self.rows if row)
        self.forge_with(at, ("consent_event", ["ab", stamp, *event("eve", GRANTED, "2020-01-01")]))

    def back_dated_event_at_the_end(self):
        row = ["ab", "2020-01-01T00:00:00+00:00", *event("eve", GRANTED, "2020-01-01")]
        self.forge_with(len(self.rows), ("consent_event", row))

    def event_past_the_program(self):
        row = ["ab", "2099-01-01T00:00:00+00:00", *event("eve", GRANTED, "2020-01-01")]
        self.forge_with(len(self.rows), ("consent_event", row))

    def old_copy(self):
        (self.vault / ledger.NAME).write_bytes(self.dice.choice(self.old).read_bytes())

    def cut_off_the_end(self):
        self.forge(self.rows[: self.dice.randrange(1, len(self.rows))])

    def emptied(self):
        self.forge([])

    def erasure_without_the_program(self):
        at = self.some()
        self.rows[at] = ("consent_event", None)
        self.rewrite_records()
        row = ["ab", "2099-01-01T00:00:00+00:00", str(at + 1)]
        with self.open() as raw:
            seq, before = chain.head(raw)
            committed = chain.commitment("erasure", tuple(row))
            link = chain.link(before, seq + 1, "erasure", committed)
            raw.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (seq + 1, "erasure", committed, link))
            raw.execute("INSERT INTO erasure VALUES (?, ?, ?, ?)", (seq + 1, *row))

    def erased_record_put_back(self):
        at = next(n for n, (table, row) in enumerate(self.rows) if row is None and table == "consent_event")
        self.rows[at] = ("consent_event", ["ab", self.rows[0][1][1], *event("p0b", GRANTED, "2026-01-02")])
        self.rewrite_records()

    def heads_deleted(self):
        (self.vault / heads.FILE).unlink()

    def head_changed(self):
        lines = (self.vault / heads.FILE).read_text().splitlines()
        at = self.dice.randrange(len(lines))
        changed = json.loads(lines[at]) | {"state": heads.RECORDED, "hash": "f" * 64}
        lines[at] = json.dumps(changed)
        (self.vault / heads.FILE).write_text("\n".join(lines) + "\n")

    def heads_garbled(self):
        with (self.vault / heads.FILE).open("a") as file:
            file.write('{"state": 3\n')


ATTACKS = sorted(
    name for name, value in vars(Attack).items() if not name.startswith("_") and callable(value)
    and name not in ("open", "forge", "some", "forge_with", "rewrite_records")
)  # fmt: skip
TRIED, FOUND = Counter(), Counter()


@pytest.fixture
def put_back(vault):
    """Puts the vault back as it was, whenever it is called."""
    folder, _ = vault
    good = {name: (folder / name).read_bytes() for name in (ledger.NAME, heads.FILE)}

    def put():
        for name, data in good.items():
            (folder / name).write_bytes(data)

    yield put
    put()


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(ATTACKS), seed=st.integers(0, 2**32))
def test_tampering_at_random_is_found(vault, put_back, name, seed):
    put_back()
    folder, old = vault
    getattr(Attack(folder, old, random.Random(seed)), name)()
    with ledger.reading(folder, verified=False) as opened:
        problems = ledger.problems(folder, opened)
    TRIED[name] += 1
    FOUND[name] += bool(problems)
    assert problems, name


def test_detection_rate_is_told(record_property):
    for name in ATTACKS:
        record_property(name, f"{FOUND[name]} of {TRIED[name]}")
    assert len(ATTACKS) >= 16
    assert FOUND == TRIED


@pytest.mark.parametrize("name", ATTACKS)
def test_a_run_stops_at_every_kind(vault, put_back, name):
    put_back()
    folder, old = vault
    getattr(Attack(folder, old, random.Random(1)), name)()
    with pytest.raises(AccordError), ledger.reading(folder):
        pass


def test_nothing_is_written_over_an_old_copy_or_a_missing_ledger(vault, put_back):
    put_back()
    folder, old = vault
    (folder / ledger.NAME).write_bytes(old[1].read_bytes())
    with pytest.raises(AccordError, match="it is an old copy, or was rewritten"), ledger.writing(folder):
        pass
    (folder / ledger.NAME).unlink()
    with pytest.raises(AccordError, match="lacks 5 of the 5 heads that were noted"), ledger.writing(folder):
        pass


def dying_at(state):
    """`heads.note`, of a process that is killed when it is about to note a state."""
    note = heads.note

    def dies(vault, given, head):
        if given == state:
            raise KeyboardInterrupt
        note(vault, given, head)

    return dies


def test_a_crash_between_note_and_commit_is_no_tampering(tmp_path, monkeypatch):
    folder = tmp_path / "vault"
    with ledger.writing(folder) as opened:
        ledger.append(opened, batch(0))
    for state, entries in ((heads.INTENDED, 8), (heads.RECORDED, 16)):
        with monkeypatch.context() as patched:
            patched.setattr(heads, "note", dying_at(state))
            with pytest.raises(KeyboardInterrupt), ledger.writing(folder) as opened:
                ledger.append(opened, batch(1))
        with ledger.reading(folder) as opened:
            assert chain.head(opened)[0] == entries
    # A line that was cut short by a crash is taken back; an intention that came to nothing is no head.
    with (folder / heads.FILE).open("a") as file:
        file.write('{"state": "inten')
    with ledger.writing(folder) as opened:
        ledger.append(opened, batch(2))
    with ledger.reading(folder) as opened:
        assert chain.head(opened)[0] == 24


def test_a_ledger_of_an_earlier_version_is_taken_over(tmp_path):
    folder = tmp_path / "vault"
    with ledger.writing(folder) as opened:
        ledger.append(opened, batch(0))
    raw = sqlite3.connect(folder / ledger.NAME)
    for table in ("proof", "attempt", "suppression", "received", "erasure"):
        raw.execute(f"DROP TABLE {table}")
    raw.close()
    (folder / heads.FILE).unlink()
    with ledger.reading(folder) as opened:
        assert len(ledger.read(opened, Party)) == 3
    with ledger.writing(folder) as opened:
        ledger.append(opened, batch(1))
    with ledger.reading(folder) as opened:
        assert chain.head(opened)[0] == 16
    assert [state for state, _ in heads.noted(folder)] == [heads.INTENDED, heads.RECORDED]
