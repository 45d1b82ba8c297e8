"""Bootstrap: intervals over whole subjects."""
