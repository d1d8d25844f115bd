/*
 * RCCE_bitflags.h: under SINGLEBITFLAGS the calls whose types contain a flag
 * are other functions than without it, because RCCE_FLAG is another type.
 */
#ifndef RCCE_BITFLAGS_H
#define RCCE_BITFLAGS_H

#define RCCE_flag_alloc RCCE_flag_alloc_bit
#define RCCE_flag_free RCCE_flag_free_bit
#define RCCE_flag_write RCCE_flag_write_bit
#define RCCE_flag_read RCCE_flag_read_bit
#define RCCE_wait_until RCCE_wait_until_bit
#define RCCE_test_flag RCCE_test_flag_bit
#define RCCE_send_gory RCCE_send_gory_bit
#define RCCE_recv_gory RCCE_recv_gory_bit
#define RCCE_recv_test_gory RCCE_recv_test_gory_bit
#define RCCE_bcast RCCE_bcast_bit
#define RCCE_reduce RCCE_reduce_bit
#define RCCE_allreduce RCCE_allreduce_bit
#define RCCE_comm_split RCCE_comm_split_bit
#define RCCE_comm_free RCCE_comm_free_bit
#define RCCE_comm_size RCCE_comm_size_bit
#define RCCE_comm_rank RCCE_comm_rank_bit
#define RCCE_barrier RCCE_barrier_bit
#define RCCE_COMM_WORLD RCCE_COMM_WORLD_bit
#define RCCE_P_COMM RCCE_P_COMM_bit

/* Inside the library. */
#define rcce_signal_of rcce_signal_of_bit
#define rcce_open_world rcce_open_world_bit
#define rcce_close_world rcce_close_world_bit
#define rcce_open_power rcce_open_power_bit

#endif
