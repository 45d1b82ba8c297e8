"""A subject whose pictures were on the web before: their fingerprints are in the list that is given with the demo."""

import io

import numpy as np

from accord_demo.draft import Draft

QUALITY = 60
OTHERS = 200
BITS = 256


def plant(draft: Draft) -> None:
    """Add the subject."""
    subject = draft.add_subject()
    taken = [draft.add_picture(subject, draft.frame(framing)) for framing in ("face", "bust", "full")]
    draft.web += [picture.reference for picture in taken]
    draft.plant("on_the_web", taken, taken, "web_match", "re-encoded copies are in the list")


def web_list(files: list[bytes], seed: int) -> list[str]:
    """PDQ hashes of re-encoded copies of the files, among as many of other pictures as a small list has; sorted."""
    rng = np.random.default_rng([seed, 404])
    others = rng.integers(0, 2, (OTHERS, BITS), dtype=np.uint8)
    return sorted([_pdq(data) for data in files] + [_digits(bits) for bits in others])


def _pdq(data: bytes) -> str:
    import pdqhash
    from PIL import Image

    from accord.imaging.decode import decode

    again = io.BytesIO()
    Image.fromarray(decode(data)).save(again, "JPEG", quality=QUALITY)
    bits, _ = pdqhash.compute(decode(again.getvalue()))
    return _digits(bits)


def _digits(bits: np.ndarray) -> str:
    """64 hexadecimal digits of 256 bits, the first bit the most significant."""
    return np.packbits(np.asarray(bits, np.uint8)).tobytes().hex()
