/* elf.h: ELF executables, as far as the loaders need them [sysv-abi-i386]. */
#ifndef L4_ELF_H
#define L4_ELF_H

#include <stdint.h>

#define ELF_MAGIC 0x464C457Fu
#define ELF_EXECUTABLE 2
#define ELF_MACHINE_386 3
#define ELF_LOAD 1
#define ELF_INTERPRETER 3
#define ELF_WRITE 2

struct elf_header {
    uint32_t magic;
    uint8_t rest[12];
    uint16_t type, machine;
    uint32_t version, entry, segments, sections, flags;
    uint16_t size, segment_size, segment_count;
};

struct elf_segment {
    uint32_t type, offset, address, physical, file_size, memory_size, flags,
        align;
};

#endif
