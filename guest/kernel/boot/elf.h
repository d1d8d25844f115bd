/* ELF executables [tis-elf-1995]: the parts that a loader needs. */
#ifndef ELF_H
#define ELF_H

#include "types.h"

#define ELF_MAGIC 0x464C457Fu
#define ELF_CLASS_32 1
#define ELF_LITTLE_ENDIAN 1
#define ELF_EXECUTABLE 2
#define ELF_SHARED 3
#define ELF_MACHINE_386 3

struct elf_header {
    u32 magic;
    u8 class, data, version, abi;
    u8 padding[8];
    u16 type, machine;
    u32 file_version;
    u32 entry;
    u32 program_headers, section_headers;
    u32 flags;
    u16 header_size, program_header_size, program_header_count;
    u16 section_header_size, section_header_count, names;
};

#define PT_LOAD 1u
#define PT_INTERP 3u
#define PF_WRITE 2u

struct elf_segment {
    u32 type;
    u32 offset;
    u32 address, physical;
    u32 file_size, memory_size;
    u32 flags;
    u32 align;
};

#endif
