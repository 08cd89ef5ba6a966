"""Whether access holds, measured: by looking for leaks, by taking away what is hidden, by weakening every filter, by what it costs."""
