/*
 * omp.h: OpenMP's functions for programs built with `rck cc -fopenmp`. By
 * default a team has one thread for each core of the run.
 * systems/openmp/README.md lists what is supported.
 */
#ifndef OMP_H
#define OMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A lock. Its state is in a table in off-die memory, indexed by the lock's
 * address. */
typedef struct {
    uint32_t ready;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;

typedef enum {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000u
} omp_sched_t;

typedef enum {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_master = 2,
    omp_proc_bind_primary = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

/* A handle of the event that completes a detached task (omp_fulfill_event). */
typedef enum omp_event_handle_t {
    CRF_OMP_EVENT_MAX = (int)0x7fffffff,
    CRF_OMP_EVENT_MIN = (int)0x80000000u
} omp_event_handle_t;
typedef void *omp_depend_t;
typedef uintptr_t omp_uintptr_t;

typedef enum { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

/* Allocators. They all give one kind of memory, which all threads share. */
typedef enum omp_memspace_handle_t {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4
} omp_memspace_handle_t;

typedef enum omp_allocator_handle_t {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    CRF_OMP_ALLOCATOR_MAX = (int)0x7fffffff,
    CRF_OMP_ALLOCATOR_MIN = (int)0x80000000u
} omp_allocator_handle_t;

typedef enum {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum {
    omp_atv_default = -1,
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = omp_atv_serialized,
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18
} omp_alloctrait_value_t;

typedef struct {
    omp_alloctrait_key_t key;
    omp_uintptr_t value;
} omp_alloctrait_t;

#ifdef __cplusplus
#define CRF_OMP_OR_NULL = omp_null_allocator
#else
#define CRF_OMP_OR_NULL
#endif
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space,
                                          int count,
                                          const omp_alloctrait_t traits[]);
void omp_destroy_allocator(omp_allocator_handle_t allocator);
void omp_set_default_allocator(omp_allocator_handle_t allocator);
omp_allocator_handle_t omp_get_default_allocator(void);
void *omp_alloc(size_t bytes, omp_allocator_handle_t from CRF_OMP_OR_NULL);
void *omp_aligned_alloc(size_t alignment, size_t bytes,
                        omp_allocator_handle_t from CRF_OMP_OR_NULL);
void *omp_calloc(size_t count, size_t each,
                 omp_allocator_handle_t from CRF_OMP_OR_NULL);
void *omp_aligned_calloc(size_t alignment, size_t count, size_t each,
                         omp_allocator_handle_t from CRF_OMP_OR_NULL);
void *omp_realloc(void *memory, size_t bytes,
                  omp_allocator_handle_t from CRF_OMP_OR_NULL,
                  omp_allocator_handle_t old CRF_OMP_OR_NULL);
void omp_free(void *memory, omp_allocator_handle_t from CRF_OMP_OR_NULL);

void omp_fulfill_event(omp_event_handle_t event);
int omp_pause_resource(omp_pause_resource_t kind, int device);
int omp_pause_resource_all(omp_pause_resource_t kind);
void omp_set_affinity_format(const char *format);
size_t omp_get_affinity_format(char *buffer, size_t bytes);
void omp_display_affinity(const char *format);
size_t omp_capture_affinity(char *buffer, size_t bytes, const char *format);

void omp_set_num_threads(int threads);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_get_num_places(void);
int omp_get_place_num(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *processors);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);
int omp_get_initial_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
void omp_set_default_device(int device);
int omp_get_default_device(void);
int omp_is_initial_device(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_in_parallel(void);
int omp_in_final(void);
void omp_set_dynamic(int dynamic);
int omp_get_dynamic(void);
void omp_set_nested(int nested);
int omp_get_nested(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_get_supported_active_levels(void);
int omp_get_max_task_priority(void);
void omp_display_env(int verbose);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_thread_limit(void);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);
int omp_get_cancellation(void);
omp_proc_bind_t omp_get_proc_bind(void);
double omp_get_wtime(void);
double omp_get_wtick(void);

/* Hints have no effect, because there is only one kind of lock. */
typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;
void omp_init_lock(omp_lock_t *lock);
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

#ifdef __cplusplus
}
#endif

#endif
