"""The documents of a release: datasheet, Croissant, terms, provenance crate."""
