//! The system calls of a process that runs guests: Python, the engine, its threads, their memory,
//! files and consoles. Paths are Landlock's business.
//!
//! Not among them: programs and processes (execve, fork), other processes (ptrace,
//! process_vm_readv, pidfd_open), connections (connect), the kernel itself (mount, bpf, keyctl,
//! io_uring, module loading, namespaces).

use libc::*;

pub(crate) const ALLOWED: &[i64] = &[
    // Memory.
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mincore,
    SYS_msync,
    SYS_mbind,
    SYS_get_mempolicy,
    SYS_membarrier,
    // Threads of this process, and when they run; clone, clone3 and kill have rules of their own.
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_getpgid,
    SYS_getsid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_getcpu,
    SYS_getpriority,
    SYS_prctl,
    SYS_restart_syscall,
    // Signals.
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_setitimer,
    SYS_getitimer,
    // Time.
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    // What the process is and has.
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_getrlimit,
    SYS_prlimit64,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_umask,
    SYS_capget,
    // Files that are open; ioctl has a rule of its own.
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_preadv,
    SYS_pwritev,
    SYS_lseek,
    SYS_close,
    SYS_close_range,
    SYS_dup,
    SYS_dup3,
    SYS_fcntl,
    SYS_flock,
    SYS_fstat,
    SYS_fstatfs,
    SYS_fsync,
    SYS_fdatasync,
    SYS_sync_file_range,
    SYS_syncfs,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_copy_file_range,
    SYS_sendfile,
    SYS_fchmod,
    SYS_fchown,
    SYS_getdents64,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_pselect6,
    // Files by their names.
    SYS_openat,
    SYS_openat2,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_truncate,
    SYS_fchmodat,
    SYS_utimensat,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    SYS_listxattr,
    SYS_llistxattr,
    SYS_flistxattr,
    SYS_memfd_create,
    // Sockets that are there already, and who connects to them.
    SYS_accept,
    SYS_accept4,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_shutdown,
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_setsockopt,
    // Older names, which aarch64 has not.
    #[cfg(target_arch = "x86_64")]
    SYS_open,
    #[cfg(target_arch = "x86_64")]
    SYS_stat,
    #[cfg(target_arch = "x86_64")]
    SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    SYS_access,
    #[cfg(target_arch = "x86_64")]
    SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    SYS_rename,
    #[cfg(target_arch = "x86_64")]
    SYS_link,
    #[cfg(target_arch = "x86_64")]
    SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    SYS_creat,
    #[cfg(target_arch = "x86_64")]
    SYS_getdents,
    #[cfg(target_arch = "x86_64")]
    SYS_poll,
    #[cfg(target_arch = "x86_64")]
    SYS_select,
    #[cfg(target_arch = "x86_64")]
    SYS_epoll_wait,
    #[cfg(target_arch = "x86_64")]
    SYS_epoll_create,
    #[cfg(target_arch = "x86_64")]
    SYS_pipe,
    #[cfg(target_arch = "x86_64")]
    SYS_dup2,
    #[cfg(target_arch = "x86_64")]
    SYS_time,
    #[cfg(target_arch = "x86_64")]
    SYS_alarm,
    #[cfg(target_arch = "x86_64")]
    SYS_getpgrp,
    #[cfg(target_arch = "x86_64")]
    SYS_arch_prctl,
];
