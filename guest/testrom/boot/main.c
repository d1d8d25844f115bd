/*
 * main.c: the order of the topics.
 */
#include "testrom.h"

void main(void)
{
    fill_tables();
    test_segment_loads();
    test_segment_limits();
    test_inspection();
    test_far_transfers();
    test_returns();
    test_call_gates();
    test_interrupt_gates();
    test_tasks();
    test_task_faults();
    test_ports();
    test_privileged();
    test_opcodes();
    test_alignment();
    test_virtual_8086();
    test_virtual_interrupts();
    test_debug();
    test_coprocessor();
    test_self_modification();
    test_paging();
    test_page_straddling();
    test_large_pages();
    text("-- end\n");
    test_double_faults();
}
