/*
 * sync_mail.c: mails by ranks, over the kernel's devices, which know cores.
 */
#define RCCE_MAILBOX
#include "RCCE_lib.h"
#include "RCCE_mail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct mail {
    uint32_t core;
    char text[RCCE_MAIL_MAX];
};

static int device = -1, device_now = -1;

int RCCE_mail_open(enum RCCE_mail_kind kind)
{
    int (*open)(int) =
        kind == RCCE_MAIL_POLLED ? scc_open_quiet_mail : scc_open_mail;

    device = open(O_RDWR);
    device_now = open(O_RDWR | O_NONBLOCK);
    if (device < 0 || device_now < 0)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_MALLOC);
    return RCCE_SUCCESS;
}

static int check(const void *mail, int bytes, int missing)
{
    if (device < 0)
        return RCCE_ERROR_COMM_UNDEFINED;
    if (bytes < 0 || bytes > RCCE_MAIL_MAX)
        return RCCE_ERROR_MESSAGE_LENGTH;
    return mail || bytes == 0 ? RCCE_SUCCESS : missing;
}

int RCCE_mail_send(int ue, const void *mail, int bytes)
{
    struct mail line = {0};
    int error = check(mail, bytes, RCCE_ERROR_SOURCE);
    if (!error && (!rcce_valid_ue(ue) || ue == rcce_my_rank))
        error = RCCE_ERROR_ID;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    line.core = (uint32_t)rcce_core_of[ue];
    memcpy(line.text, mail, (size_t)bytes);
    /* A signal may end the wait for the box. */
    while (write(device, &line, sizeof line) < 0)
        if (errno != EINTR)
            return rcce_fail(rcce_debug_comm, RCCE_ERROR_MALLOC);
    return RCCE_SUCCESS;
}

static void deliver(const struct mail *line, int *ue, void *mail, int bytes)
{
    memcpy(mail, line->text, (size_t)bytes);
    for (int n = 0; ue && n < rcce_ues; n++)
        if ((uint32_t)rcce_core_of[n] == line->core)
            *ue = n;
}

int RCCE_mail_recv(int *ue, void *mail, int bytes)
{
    struct mail line;
    int error = check(mail, bytes, RCCE_ERROR_TARGET);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    while (read(device, &line, sizeof line) < 0)
        if (errno != EINTR)
            return rcce_fail(rcce_debug_comm, RCCE_ERROR_MALLOC);
    deliver(&line, ue, mail, bytes);
    return RCCE_SUCCESS;
}

int RCCE_mail_test(int *ue, void *mail, int bytes, int *there)
{
    struct mail line;
    int error = check(mail, bytes, RCCE_ERROR_TARGET);
    if (!error && !there)
        error = RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    *there = read(device_now, &line, sizeof line) == (ssize_t)sizeof line;
    if (*there)
        deliver(&line, ue, mail, bytes);
    return RCCE_SUCCESS;
}
