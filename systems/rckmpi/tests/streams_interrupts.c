// Ranks that sleep until an interrupt announces news.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_WAIT=interrupts -- 40
// expect-stdout:
// improved: 64 bytes a section, 80 packets whole
// improved: 64 bytes a section, 80 packets whole
// improved: 64 bytes a section, 80 packets whole
#include "../programs/streams.c"
