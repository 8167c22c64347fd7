/* Preloaded: the n-th system call on a file after fail_at(n, lasts) fails with EIO, and with `lasts` all that follow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long left = 0, lasts = 0, armed = 0, in_haste = 0;
void fail_at(long n, long forever) { left = n; lasts = forever; armed = in_haste = n > 0; }
long calls_left(void) { return left; }

static int fails(void) {
    if (!armed) return 0;
    if (left > 0) left--;
    if (left > 0) return 0;
    if (!lasts) armed = 0;
    errno = EIO;
    return 1;
}
#define REAL(name, type) \
    static __typeof__(type) real;  \
    if (!real) real = (__typeof__(type))dlsym(RTLD_NEXT, name)
#define WRAP(result, name, parameters, arguments) \
    result name parameters { REAL(#name, result (*) parameters); if (fails()) return -1; return real arguments; }

WRAP(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size))
WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(ssize_t, pread64, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, rename, (const char *from, const char *to), (from, to))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, stat64, (const char *path, struct stat64 *found), (path, found))
WRAP(int, fstat64, (int fd, struct stat64 *found), (fd, found))
WRAP(int, lstat64, (const char *path, struct stat64 *found), (path, found))

/* SQLite tries some calls again for ten seconds; whoever makes one fail need not wait for that. */
int usleep(useconds_t microseconds) {
    REAL("usleep", int (*)(useconds_t));
    return in_haste ? 0 : real(microseconds);
}
int nanosleep(const struct timespec *wanted, struct timespec *left_over) {
    REAL("nanosleep", int (*)(const struct timespec *, struct timespec *));
    return in_haste ? 0 : real(wanted, left_over);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    REAL("open64", int (*)(const char *, int, ...));
    return fails() ? -1 : real(path, flags, mode);
}
int fcntl64(int fd, int what, ...) {
    va_list rest;
    va_start(rest, what);
    void *value = va_arg(rest, void *);
    va_end(rest);
    REAL("fcntl64", int (*)(int, int, ...));
    return fails() ? -1 : real(fd, what, value);
}
