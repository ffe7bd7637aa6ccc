#pragma once
#include <glib.h>
#include <malloc.h>

/// Fixes the size from which memory is the system's own and goes back to it when it is freed; Swift's Glibc has no
/// mallopt.
static inline void cglib_fix_mmap_threshold(int bytes)
{
    mallopt(M_MMAP_THRESHOLD, bytes);
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
