"""Whether a finding survives other choices, and what could have been found."""
