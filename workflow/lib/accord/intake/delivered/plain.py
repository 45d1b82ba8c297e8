"""Free text of vendors and cameras, made safe to show and to publish in tables."""

FORMULA = "=+-@"
"""What makes a spreadsheet run a cell instead of showing it (OWASP, CSV Injection)."""


def plain(text: str, longest: int) -> str:
    """The printable letters of a text, `longest` at most, without what leads a formula; "" where none are left.

    Control and direction marks are not printable; lone surrogates can't be written as UTF-8.
    """
    shown = "".join(c for c in text if c.isprintable() and not "\ud800" <= c <= "\udfff")
    return shown.lstrip(f" {FORMULA}").rstrip()[:longest]
