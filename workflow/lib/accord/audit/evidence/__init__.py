"""What an audit holds results against: lineage, code, parameters, weights, consent."""
