"""Documents of ours that come back as files: each held against its schema before anything uses it.

`result`, `profile` and the like say by types what a document holds, and by code what types cannot
say. An error names the file, the place in the document, and what is expected there
(`rockcreek.reading.documents`).
"""

# What the documents call themselves; a version grows when a key changes its meaning or goes.
RESULT, RESULT_VERSION = "rockcreek-result", 1
PROFILE, PROFILE_VERSION = "rockcreek-profile", 1
