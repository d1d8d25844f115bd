"""Rockcreek in notebooks: `%load_ext rockcreek`, then cells of C that begin with `%%rck -n 48`.

Results and pictures show themselves (`rockcreek.results.shown`); here is what needs IPython.
"""
