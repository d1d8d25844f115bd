// Streams of packets whose sizes meet the edges of sections and chunks arrive
// whole, between all pairs of three.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_CHANNEL=original -- 40
// expect-stdout:
// original: 2720 bytes a section, 80 packets whole
// original: 2720 bytes a section, 80 packets whole
// original: 2720 bytes a section, 80 packets whole
#include "../programs/streams.c"
