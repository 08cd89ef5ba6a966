"""The paired evaluation: question sets with gold answers from raw files, runs, scores, reports."""
