"""What texts are made into: passages, index terms, vectors, concepts."""
