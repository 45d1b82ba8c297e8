"""FHIBE's format: columns, labels, literals, geometry."""
