"""Near neighbours among more vectors than can all be compared: cells propose, and what they miss is measured."""
