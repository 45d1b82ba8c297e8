"""The card of an export: what its reader has to know first, then how it is opened."""

CARD = "README.md"


def card(text: str, caution: str) -> str:
    """A card that begins with a heading, with what must be known of the data under it. caution: "" for nothing."""
    heading, _, rest = text.partition("\n")
    return f"{heading}\n\n**Read this first.** {caution}\n{rest}" if caution else text
