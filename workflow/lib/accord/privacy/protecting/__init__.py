"""Protecting people who stay in a picture: where they are, and where nothing may be copied from."""
