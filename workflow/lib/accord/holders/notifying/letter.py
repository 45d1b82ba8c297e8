"""The letter that goes with a notice: in plain words what a holder is asked to do. It names no one but the holder."""

from typing import Any

LETTER = """\
To: {name}

Part of release {version}, of which you hold a copy, was withdrawn and must be deleted.
Please do this by {due}:

1. Delete it from each copy of the release that you hold. With this notice came two files,
   revocations.jsonl and notice.json; the command needs these, your copy and nothing else:

     accord prune PATH/TO/{version} --revocations revocations.jsonl --notice notice.json \\
       --key publisher.pem --acknowledge acknowledgement.json --holder-key holder.pem

   publisher.pem is our public key. Without a copy of your own, take release.pub of the release;
   accord release verify PATH/TO/{version} prints its fingerprint, which must be
   {fingerprint}
   holder.pem is your own key; accord holders key --out holder.pem makes one.
   It can be stopped and run again. --dry-run first says what would go.

2. Delete it from all that you made of the release: unpacked, converted, resized or cropped pictures,
   tables joined with your own, caches, features and embeddings, backups. --also FOLDER ... lists files
   there that are the same byte for byte, and --delete-copies deletes them; this works only together
   with step 1, since your copy forgets what it has lost. A folder that accord release export made is
   pruned like a release: accord prune FOLDER --revocations revocations.jsonl. Whatever else
   was changed you must find yourself.

3. Send us acknowledgement.json.

The list holds {revocations} revocation(s) of {leaves} parts in all; what you have carried out before is skipped.
It doesn't say whom it is about. Please don't try to find out.

If you have deleted your copies altogether, tell us so: you then get no more of these notices.

notice {notice}
holder {holder}
release {version}, root {root}
sent {sent}
"""


def text(name: str, told: dict[str, Any], fingerprint: str) -> str:
    """The letter to somebody of that name, of a notice (`notices.TOLD`) under the publisher's key."""
    return LETTER.format(name=name, fingerprint=fingerprint, revocations=len(told["receipts"]), **told)
