"""Lists the pages; each draws its own frame (`brain/ui/frame.py`)."""

import streamlit as st

from brain.ui.frame import pages

st.navigation(pages(), position="hidden").run()
