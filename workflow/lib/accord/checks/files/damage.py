"""Damage inside a JPEG that decoders gloss over: they fill the gap with grey and call it a picture."""

from accord.errors import AccordError, Problem

JPEG = "image/jpeg"


def refuse_damage(data: bytes, media: str) -> None:
    """Raise AccordError where the compressed data of a JPEG break the format.

    libjpeg-turbo's warnings tell, which Pillow drops. The picture is made at an eighth of its size, since only the
    compressed data count: a third of the time of decoding it.
    """
    if media != JPEG:
        return
    import simplejpeg

    try:
        simplejpeg.decode_jpeg(data, "gray", fastdct=True, min_height=1, min_width=1, strict=True)
    except ValueError:
        raise AccordError(Problem("image", "contains damaged data", "deliver it again")) from None
