// Streams between all pairs, of sizes that meet every edge of a section and of
// the chunks, arrive whole in every channel.
// cc: -O2 -lrckmpi -lrcce
// run: -n 5 --tag none -- 300
// expect-stdout:
// original: 1632 bytes a section, 6000 packets whole
// improved: 64 bytes a section, 6000 packets whole
// bells: 64 bytes a section, 6000 packets whole
#include "../programs/streams.c"
