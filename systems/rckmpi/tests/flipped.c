// A bit of a message buffer flips by a fault while a message is there: the
// checksum finds it, and all ranks end.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_CHANNEL=improved --fault mpb:core=1,offset=3072..3583,bit=any@1ms..4ms --fault-seed 2 -- 40
// expect-exit: 70
// expect-stderr: rckmpi: message \d+ from core 1 to rank 0 \(core 0\) is damaged: checksum [0-9a-f]{4}, its metadata say
#include "../programs/streams.c"
