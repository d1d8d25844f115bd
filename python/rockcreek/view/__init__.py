"""`rck view`: a run as one HTML page that needs nothing from outside.

`page.py` reduces a result and fills `page.html`, `page.css` and the scripts into one text.
"""
