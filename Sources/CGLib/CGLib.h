#pragma once
// What is deprecated since a later version than the oldest one that we build with, that of Debian 12, is no warning.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#include <glib.h>
#include <libintl.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Has malloc give freed memory back to the system; Swift's Glibc has no mallopt.
///
/// A block of `mmap_threshold` bytes (at most 32 MB) or more is mapped by itself and goes back when it is freed: left to
/// itself, glibc raises the threshold with the first picture that is freed, and every arena then keeps some. Four times as many
/// bytes may stay free at the end of an arena. There are `arenas` at most, by default eight for each processor, of which each
/// keeps its own gaps.
static inline void cglib_set_malloc_options(int mmap_threshold, int arenas)
{
    mallopt(M_MMAP_THRESHOLD, mmap_threshold);
    mallopt(M_TRIM_THRESHOLD, 4 * mmap_threshold);
    mallopt(M_ARENA_MAX, arenas);
}

/// A file that is in memory only and has no name, closed in programs that are started; -1 and errno where there is none.
///
/// Swift's Glibc has no memfd_create, which needs a feature macro.
static inline int cglib_memory_file(void)
{
    const unsigned int close_on_exec = 1; // MFD_CLOEXEC
    return (int)syscall(SYS_memfd_create, "classicphotos", close_on_exec);
}

/// Has the system begin to write a file's bytes to the disk, and waits for nothing.
///
/// Swift's Glibc has no sync_file_range, which needs a feature macro.
static inline void cglib_begin_sync(int descriptor)
{
    const unsigned int write = 2; // SYNC_FILE_RANGE_WRITE
    syscall(SYS_sync_file_range, descriptor, 0L, 0L, write);
}

/// Renames a file unless there is one of the new name; -1 and errno where there is, or where the file system cannot do that.
///
/// Swift's Glibc has no renameat2, which needs a feature macro.
static inline int cglib_rename_new(const char *path, const char *new_path)
{
    const int here = -100; // AT_FDCWD
    const unsigned int no_replace = 1; // RENAME_NOREPLACE
    return (int)syscall(SYS_renameat2, here, path, here, new_path, no_replace);
}

/// A text's letters apart from their accents, and wide ones and ligatures as what they stand for (Unicode's NFKD); NULL
/// where it is no UTF-8. To be freed. `length` is in bytes, -1 for all up to a zero.
static inline gchar *cglib_decomposed(const gchar *text, gssize length)
{
    return g_utf8_normalize(text, length, G_NORMALIZE_NFKD);
}

/// A text's letters together with their accents (Unicode's NFC); as above.
static inline gchar *cglib_composed(const gchar *text, gssize length)
{
    return g_utf8_normalize(text, length, G_NORMALIZE_NFC);
}

// Rows of GOption's table. Made here, because Swift finds the constants of GLib's enumerations in one module only, and
// libvips' header brings them in too.

/// An option whose value arrives as the bytes that the shell passed.
static inline GOptionEntry cglib_option_with_value(
    const gchar *name, gchar short_name, gchar **value, const gchar *help, const gchar *value_name)
{
    GOptionEntry entry = { name, short_name, 0, G_OPTION_ARG_FILENAME, value, help, value_name };
    return entry;
}

/// The same for an option that may be there several times.
static inline GOptionEntry cglib_option_with_values(
    const gchar *name, gchar ***values, const gchar *help, const gchar *value_name)
{
    GOptionEntry entry = { name, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, values, help, value_name };
    return entry;
}

/// An option that is there or not.
static inline GOptionEntry cglib_option_flag(const gchar *name, gchar short_name, gboolean *value, const gchar *help)
{
    GOptionEntry entry = { name, short_name, 0, G_OPTION_ARG_NONE, value, help, NULL };
    return entry;
}

/// What is no option.
static inline GOptionEntry cglib_option_rest(gchar ***values)
{
    GOptionEntry entry = { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, values, NULL, NULL };
    return entry;
}
