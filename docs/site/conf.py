"""Sphinx makes the site of what stage.py has laid out; `make guide` calls it, and warnings fail."""

import rockcreek

project = "Rockcreek"
author = "The Rockcreek developers"
copyright = author
version = release = rockcreek.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
# Single backticks in docstrings are code, as in Markdown.
default_role = "code"
# `--option` in running text stays two dashes.
smartquotes = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"Rockcreek {release}"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
highlight_language = "none"
