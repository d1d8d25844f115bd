"""What `rck repro` says of all studies: the overview, a page for each study, the list, the picture.

All of it is made of a `Standing`: records of what was measured beside the published tables.
"""
