"""People in the loop: what waits for them, what they decided, and the page on which they do."""
