# CMake makes static libraries of shared ones, with a warning.
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
