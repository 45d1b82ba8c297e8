"""The videos of one share of a delivery, one at a time, with whom each shows, and where."""

from accord.intake.delivered.files import MEBIBYTE

MAX_VIDEO = 4096 * MEBIBYTE
