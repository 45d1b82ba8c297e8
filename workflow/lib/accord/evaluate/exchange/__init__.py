"""The FHIBE Evaluation API's model_outputs.json, read and written."""
