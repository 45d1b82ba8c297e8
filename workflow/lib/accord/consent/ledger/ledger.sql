-- The consent ledger. Every record is an entry of one chain; nothing is ever changed, and deleted by an erasure alone.
-- Dates are ISO 8601 days, recorded_at ISO 8601 UTC; "" means not given, or for `image`: all images.

CREATE TABLE IF NOT EXISTS chain (
    seq INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,       -- the table that holds the record
    commitment TEXT NOT NULL,  -- of the record, salted: says nothing of it once the record is gone
    hash TEXT NOT NULL         -- over the hash before it, seq, entry and commitment
);

CREATE TABLE IF NOT EXISTS party (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    subject TEXT NOT NULL, role TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS notice (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    notice TEXT NOT NULL, version TEXT NOT NULL, language TEXT NOT NULL, sha256 TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS consent_event (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    role TEXT NOT NULL, subject TEXT NOT NULL, image TEXT NOT NULL, scope TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('granted', 'withdrawn')),
    event_on TEXT NOT NULL, expires_on TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('form', 'command')),
    form TEXT NOT NULL, notice_sha256 TEXT NOT NULL, evidence_sha256 TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS ipr_form (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    subject TEXT NOT NULL, image TEXT NOT NULL, event_on TEXT NOT NULL, expires_on TEXT NOT NULL,
    form TEXT NOT NULL, evidence_sha256 TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS depicts (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    image TEXT NOT NULL, subject TEXT NOT NULL, role TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS proof (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    subject TEXT NOT NULL, code_salt TEXT NOT NULL, code_digest TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS attempt (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    attempt TEXT NOT NULL, action TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS suppression (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    person TEXT NOT NULL, scope TEXT NOT NULL, event_on TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS received (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    file_salt TEXT NOT NULL, file_digest TEXT NOT NULL, rows INTEGER NOT NULL, refused INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS settled (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL,
    entry INTEGER NOT NULL,    -- of the wish for nobody
    how TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS erasure (
    seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, recorded_at TEXT NOT NULL, entries TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS consent_event_subject ON consent_event (subject);
CREATE INDEX IF NOT EXISTS depicts_subject ON depicts (subject);
