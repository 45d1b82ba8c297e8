"""Programs and agencies that a picture went through, as they sign themselves in EXIF Software."""

import re

_EDITORS = (
    r"photoshop|lightroom|gimp|snapseed|picsart|facetune|meitu|beautycam|beautyplus|faceapp|affinity|pixelmator"
    r"|capture one|darktable|rawtherapee|luminar|vsco|canva|paint\.?net|picasa|instagram|snapchat|photoscape"
    r"|polarr|fotor|aviary|stable diffusion|midjourney|dall[\W_]?e(?![a-z])|firefly|remini|topaz|imagemagick|acdsee"
    r"|corel|lensa"
)
_AGENCIES = r"shutterstock|getty|istock|adobe stock|alamy|dreamstime|depositphotos"
EDITORS = re.compile(_EDITORS, re.I)
"""Programs that change or make pictures; cameras write a firmware's version."""
EDITED = re.compile(f"{_EDITORS}|{_AGENCIES}", re.I)
"""Those, and agencies that sell pictures."""
