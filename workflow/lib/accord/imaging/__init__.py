"""Untrusted pictures: their parts bounded before anything decodes them, their pixels as a viewer sees them."""
