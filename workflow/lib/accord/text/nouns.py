"""Counts with their noun, and lists, as people write them."""

PLURALS = {"person": "people", "other person": "other people", "wish": "wishes", "query": "queries",
           "picture or frame": "pictures and frames"}  # fmt: skip
"""Plurals that don't just end in s."""


def counted(number: int, noun: str) -> str:
    """`1 person`, `1,234 images`."""
    return f"{number:,} {noun if number == 1 else PLURALS.get(noun, f'{noun}s')}"


def fewer(number: int, noun: str, least: int) -> str:
    """`1 subject, fewer than 10`."""
    return f"{counted(number, noun)}, fewer than {least}"


def images_of(images: int, people: int) -> str:
    """`60 images of 20 people`."""
    return f"{counted(images, 'image')} of {counted(people, 'person')}"


def listed(words: list[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def lower(text: str) -> str:
    """A text that begins in lower case, the rest as it is: abbreviations stay."""
    return text[:1].lower() + text[1:]


def upper(text: str) -> str:
    """A text that begins with a capital, the rest as it is."""
    return text[:1].upper() + text[1:]
