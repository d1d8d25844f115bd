"""Pictures; the only part of the package that imports matplotlib."""
