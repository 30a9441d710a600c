"""InferenceX."""
