"""What is planted in the demo delivery: each module adds one kind of trouble to the plan, and what to expect of it."""
