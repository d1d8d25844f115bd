/* loading.h: functions that the files of boot/ share. */
#ifndef ROCKYVISOR_LOADING_H
#define ROCKYVISOR_LOADING_H

#include "visor.h"

u32 boot_read(u32 information, u32 end);
void guest_load(struct vcpu *v);
void tables_put(void);

#endif
