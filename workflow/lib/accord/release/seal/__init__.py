"""The seal: leaves, signatures, verification, the receipt log, ids and versions."""
