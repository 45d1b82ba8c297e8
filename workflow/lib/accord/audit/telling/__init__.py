"""An audit's checks and how they are told: text, document, page."""
