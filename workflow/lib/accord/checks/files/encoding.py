"""How much an encoded picture has lost: what its JPEG quantisation table says."""

import numpy as np

from accord.imaging.decode import opened

LOSSLESS = 100
IJG_LUMINANCE_MEAN = 57.625
"""Mean of the luminance table of ITU-T T.81, annex K.1, which libjpeg scales by a percentage."""


def encoding_quality(data: bytes) -> int:
    """The quality from 1 to 100, as libjpeg counts it, at which the JPEG was made; 100 for other formats.

    The inverse of libjpeg's scaling (5000 / quality below 50, 200 - 2 * quality above), applied to the table's mean.
    For tables of other encoders it is the quality of a table of the same mean. Below 25, where tables are cut off at
    255, it is too high, but still in order.
    """
    with opened(data) as image:
        tables = getattr(image, "quantization", None)
    if not tables:
        return LOSSLESS
    percent = 100 * float(np.mean(tables[min(tables)])) / IJG_LUMINANCE_MEAN
    quality = (200 - percent) / 2 if percent <= 100 else 5000 / percent
    return int(np.clip(round(quality), 1, LOSSLESS))
