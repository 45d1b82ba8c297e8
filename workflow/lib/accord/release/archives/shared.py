"""Attributes under names that several datasets share, so that they can be compared.

They are coarse, and not the same thing everywhere: what annotators took somebody for is not what a person says.
"""

GENDER, SKIN, SKIN_HALVES, AGE_PRESENTATION = "gender", "skin", "skin_halves", "age_presentation"
OF_PEOPLE = (GENDER, AGE_PRESENTATION, SKIN)
"""Those by which it is told what models say of people."""
FEMALE, MALE, OTHER, UNKNOWN = "female", "male", "other", "unknown"
LIGHT, MEDIUM, DARK = "light", "medium", "dark"
LIGHTER, DARKER = "lighter", "darker"
ROMAN = ("I", "II", "III", "IV", "V", "VI")
TONES, TYPES = 10, 6


def fitzpatrick(skin_type: int) -> dict[str, str]:
    """Skin types 1-6 (I-VI): in pairs, and in halves."""
    return {SKIN: (LIGHT, MEDIUM, DARK)[(skin_type - 1) // 2], SKIN_HALVES: LIGHTER if skin_type <= 3 else DARKER}


def monk(tone: int) -> str:
    """Monk's tones: 1-3 light, 4-6 medium, 7-10 dark."""
    return LIGHT if tone <= 3 else MEDIUM if tone <= 6 else DARK
