/*
 * bits/gnu_stat.h: permissions of files, by BSD's names.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#define ACCESSPERMS (S_IRWXU | S_IRWXG | S_IRWXO)
#define ALLPERMS (S_ISUID | S_ISGID | S_ISVTX | ACCESSPERMS)
#define DEFFILEMODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)
#define S_BLKSIZE 512
#endif
