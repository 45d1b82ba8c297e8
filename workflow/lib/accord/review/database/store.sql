-- The database of reviews. vote, account and erasure are records of the chain: they only grow, but for erasures.
-- Times are ISO 8601 UTC; lists are JSON; people are the random ids of reviewer; hashes are those of the chain.

CREATE TABLE IF NOT EXISTS item (
    item TEXT PRIMARY KEY, queue TEXT NOT NULL, image TEXT NOT NULL, subject TEXT NOT NULL, other TEXT NOT NULL,
    region TEXT NOT NULL, "check" TEXT NOT NULL, kind TEXT NOT NULL, polygon TEXT NOT NULL, score REAL, threshold REAL,
    reason TEXT NOT NULL,
    asked TEXT NOT NULL,                 -- digest of what a person sees: a vote counts while it is the vote's
    votes INTEGER NOT NULL DEFAULT 1,    -- how many are asked for
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'disputed', 'settled')),
    entry TEXT NOT NULL DEFAULT '',      -- the entry that settled it
    gone INTEGER NOT NULL DEFAULT 0      -- whether the flow asks it no more
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS item_state ON item (queue, gone, state, votes);
CREATE INDEX IF NOT EXISTS item_image ON item (image);
CREATE INDEX IF NOT EXISTS item_other ON item (other);
CREATE INDEX IF NOT EXISTS item_subject ON item (subject);

CREATE TABLE IF NOT EXISTS reviewer (
    reviewer TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, active INTEGER NOT NULL,
    password TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS assignment (
    item TEXT NOT NULL REFERENCES item ON DELETE CASCADE, reviewer TEXT NOT NULL, queue TEXT NOT NULL,
    open INTEGER NOT NULL DEFAULT 1,     -- whether the reviewer has to look at it
    decision TEXT NOT NULL DEFAULT '',   -- of their vote that counts
    PRIMARY KEY (item, reviewer)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS assignment_open ON assignment (reviewer, open, queue, item);
CREATE INDEX IF NOT EXISTS assignment_decision ON assignment (item, decision);

CREATE TABLE IF NOT EXISTS handed (   -- items that were handed out in an export, by random names
    name TEXT PRIMARY KEY, item TEXT NOT NULL UNIQUE REFERENCES item ON DELETE CASCADE,
    asked TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS vote (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    item TEXT NOT NULL, reviewer TEXT NOT NULL, role TEXT NOT NULL,
    act TEXT NOT NULL CHECK (act IN ('vote', 'adjudication')),
    decision TEXT NOT NULL, regions TEXT NOT NULL, note TEXT NOT NULL,
    asked TEXT NOT NULL, votes INTEGER NOT NULL,   -- the item's when it was decided
    replaces TEXT NOT NULL                         -- the entry of the same person's last one on the item, or ""
);

CREATE INDEX IF NOT EXISTS chain_hash ON chain (hash);
CREATE INDEX IF NOT EXISTS vote_item ON vote (item);
CREATE INDEX IF NOT EXISTS vote_time ON vote (recorded_at);

CREATE TABLE IF NOT EXISTS account (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    reviewer TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('active', 'inactive')),
    replaces TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS erasure (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL, entries TEXT NOT NULL
);
