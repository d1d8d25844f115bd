"""The version of the package; a test keeps it equal to the engine's in Cargo.toml."""

__version__ = "0.1.0"
