// Streams of packets whose sizes meet the edges of sections and chunks arrive
// whole, between all pairs of three.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_CHANNEL=improved -- 40
// expect-stdout:
// improved: 64 bytes a section, 80 packets whole
// improved: 64 bytes a section, 80 packets whole
// improved: 64 bytes a section, 80 packets whole
#include "../programs/streams.c"
