"""Release: derivatives, FHIBE layout, manifest, documentation: an immutable version."""
