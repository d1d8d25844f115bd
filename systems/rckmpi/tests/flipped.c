// Bits of message buffers flip by faults, some while a message is there: the
// checksum finds the first of these, and all ranks end.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_CHANNEL=improved --fault mpb:core=any,offset=3072..3199,bit=any@1ms..2ms;mpb:core=any,offset=3072..3199,bit=any@1ms..2ms;mpb:core=any,offset=3072..3199,bit=any@1ms..2ms;mpb:core=any,offset=3072..3199,bit=any@1ms..2ms;mpb:core=any,offset=3072..3199,bit=any@1ms..2ms;mpb:core=any,offset=3072..3199,bit=any@1ms..2ms --fault-seed 3 -- 40
// expect-exit: 70
// expect-stderr: rckmpi: message \d+ from core \d to rank \d \(core \d\) is damaged: checksum [0-9a-f]{4}, its metadata say
#include "../programs/streams.c"
