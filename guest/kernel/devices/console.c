/* The terminal: standard output and, where it comes from one, standard input
 * on COM1, standard error on COM2.
 *
 * Bytes pass unchanged. Input is handed over line by line, as a terminal
 * does, so that a program which reads lines never waits for more than one.
 */
#include "abi_file.h"
#include "defs.h"
#include "file.h"

#define TERMINAL_ROWS 25
#define TERMINAL_COLUMNS 80
#define TERMINAL_DEVICE 0x0440u /* major 4, minor 64: ttyS0 */

static s32 console_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    u8 *out = buffer;
    u32 length = 0;

    (void)offset;
    if (file->value != COM1 || options.input == INPUT_NONE)
        return 0;
    while (length < count) {
        s32 byte = serial_read(COM1);

        if (byte < 0)
            break;
        out[length++] = (u8)byte;
        if (byte == '\n')
            break;
    }
    return (s32)length;
}

static s32 console_write(struct file *file, const void *buffer, u32 count,
                         u64 offset)
{
    (void)offset;
    serial_write((u16)file->value, buffer, count);
    return (s32)count;
}

static s32 console_status(struct file *file, struct status *status)
{
    *status = (struct status){
        .mode = S_IFCHR | 0620,
        .links = 1,
        .rdevice = TERMINAL_DEVICE + (file->value == COM2),
        .inode = file->value,
        .block_size = 1024,
    };
    return 0;
}

static s32 console_control(struct file *file, u32 request, u32 argument)
{
    struct termios settings = {.control = 0x8BD}; /* 9600 8N1, receiver on */
    struct winsize size = {.rows = TERMINAL_ROWS, .columns = TERMINAL_COLUMNS};
    u32 one = 1;

    (void)file;
    switch (request) {
    case TCGETS:
        return copy_out(argument, &settings, 36);
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
        return 0;
    case TIOCGPGRP:
        return copy_out(argument, &one, sizeof(one));
    case TIOCGWINSZ:
        return copy_out(argument, &size, sizeof(size));
    }
    return -EINVAL;
}

/* Input counts as ready: a read returns, if only with the end of file. */
static u32 console_ready(struct file *file)
{
    return file->value == COM1 ? POLLIN | POLLOUT : POLLOUT;
}

static s32 input_status(struct file *file, struct status *status)
{
    (void)file;
    *status = (struct status){
        .mode = S_IFIFO | 0600,
        .links = 1,
        .inode = 1,
        .block_size = PAGE_SIZE,
    };
    return 0;
}

/* Standard input that is no terminal: the end of a pipe. */
static const struct file_ops input_ops = {
    .read = console_read,
    .status = input_status,
    .ready = console_ready,
};

const struct file_ops console_ops = {
    .read = console_read,
    .write = console_write,
    .status = console_status,
    .control = console_control,
    .ready = console_ready,
};

void console_init(void)
{
    struct file *file;

    if (file_new(&console_ops, O_RDWR, &file))
        panic("no file for the console");
    file->value = COM1;
    descriptor_new(file, 0, false);
    descriptor_set(1, file, false);
    if (options.input != INPUT_TERMINAL) {
        if (file_new(&input_ops, O_RDONLY, &file))
            panic("no file for the input");
        file->value = COM1;
        descriptor_set(0, file, false);
        file_release(file);
    }
    if (file_new(&console_ops, O_RDWR, &file))
        panic("no file for the console");
    file->value = COM2;
    descriptor_new(file, 2, false);
}
