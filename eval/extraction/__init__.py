"""A small labelled set of texts, and how well a model reads claims out of them once everything it says has been checked."""
