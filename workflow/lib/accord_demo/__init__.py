"""The demo: rendered, wholly fictitious people in a delivery that can be curated without consent of anyone."""
