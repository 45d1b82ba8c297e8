"""A message to the data-protection officer once a person is erased: the receipt, and what is left to do; no names."""

from accord.erase.cases import receipt
from accord.erase.cases.case import ENVELOPE, Case
from accord.erase.cases.places import Places
from accord.files import keep_private
from accord.holders.notifying import mail, outbox
from accord.sealing import signing

SIGNED = "receipt.json"
LETTER = """\
Somebody who withdrew was erased. The signed receipt is attached; this checks it:

    accord erase receipt --verify receipt.json

{receipt}

Recipients of releases who must delete their copies: {notices}. `accord holders outbox` lists the notices to send,
`accord holders overdue` those that nobody answered in time.

Answer the person in your own words. The receipt doesn't say whom it is about, and this case has forgotten it.
"""


def write(case: Case, places: Places, notices: int) -> None:
    """Put the message into the outbox, as `<case>.eml`, without a recipient; again, it is the same."""
    envelope = (case.folder / ENVELOPE).read_bytes()
    told = receipt.text(receipt.check(envelope, signing.signing_key(places.vault).public_key()))
    text = LETTER.format(receipt=told, notices=notices)
    made = mail.draft(f"Erasure {case.name} is done", text, {SIGNED: envelope}, boundary=f"accord-{case.name}")
    keep_private(places.vault / outbox.FOLDER / f"{case.name}.eml", mail.as_file(made))
