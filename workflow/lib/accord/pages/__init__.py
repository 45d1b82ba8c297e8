"""What pages share: the stylesheet, the script, the content security policy, and intervals drawn on an axis."""
