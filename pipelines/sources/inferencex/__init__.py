"""InferenceX, the public benchmark of SemiAnalysis."""
