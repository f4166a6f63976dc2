//! Calls that are refused whatever they are asked. Those from 424 on have one number on all processors.

use super::assembly::{Answer, Rule};

/// Other processes, name spaces, mounts, the kernel itself, keys, and what goes around the limits.
const REFUSED: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_memfd_create,
    libc::SYS_vmsplice,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmdt,
    libc::SYS_shmctl,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    425, // io_uring_setup
    426, // io_uring_enter
    427, // io_uring_register
    428, // open_tree
    429, // move_mount
    430, // fsopen
    431, // fsconfig
    432, // fsmount
    433, // fspick
    438, // pidfd_getfd
    440, // process_madvise
    442, // mount_setattr
    443, // quotactl_fd
    447, // memfd_secret
    448, // process_mrelease
    457, // statmount
    458, // listmount
    460, // lsm_set_self_attr
    467, // open_tree_attr
    469, // file_setattr
];

/// Those that one kind of processor only has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_inotify_init,
    libc::SYS_modify_ldt,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
    libc::SYS__sysctl,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Permissions, owners and times of files. Landlock does not say whose they may be, so they have no effect; programs
/// that set them on files of their own go on.
const WITHOUT_EFFECT: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    452, // fchmodat2
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
];
#[cfg(target_arch = "x86_64")]
const WITHOUT_EFFECT_HERE: &[i64] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const WITHOUT_EFFECT_HERE: &[i64] = &[];

/// Those whose arguments lie in memory, which the filter does not see. Programs then use the older ones.
const UNSEEN: &[i64] = &[
    435, // clone3
    437, // openat2
];

/// Attributes of files that Landlock does not cover either. Programs that copy files go on where there are none to be
/// had.
const UNSUPPORTED: &[i64] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    463, // setxattrat
    466, // removexattrat
];

/// The rules.
pub(super) fn refused() -> impl Iterator<Item = Rule> {
    let each = |calls: [&'static [i64]; 2], code: i32| {
        let answer = Answer::Error(u16::try_from(code).unwrap_or_default());
        calls.into_iter().flatten().map(move |call| Rule { call: *call, tests: Vec::new(), answer })
    };
    each([REFUSED, REFUSED_HERE], libc::EPERM)
        .chain(each([WITHOUT_EFFECT, WITHOUT_EFFECT_HERE], 0))
        .chain(each([UNSUPPORTED, &[]], libc::EOPNOTSUPP))
        .chain(each([UNSEEN, &[]], libc::ENOSYS))
}
