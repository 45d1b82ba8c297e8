"""Many tests together: corrections, families, equivalence."""
