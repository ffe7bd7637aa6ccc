#pragma once
// What is deprecated since a later version than the oldest one that we build with, that of Debian 12, is no warning.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define PANGO_VERSION_MIN_REQUIRED PANGO_VERSION_1_50
#define GDK_PIXBUF_VERSION_MIN_REQUIRED GDK_PIXBUF_VERSION_2_40
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#include <adwaita.h>
#include <gtk/gtk.h>
#include <glib-unix.h>
#include <libintl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/eventfd.h>

// What Swift cannot import: macros that are types or casts, and functions with variable arguments.

/// An object of a list model that stands for something elsewhere, by a number.
typedef struct {
    GObject parent;
    gint64 identifier;
} CGtkIdentifier;

/// A list model of such objects; who knows the numbers is behind the pointer.
typedef struct {
    GObject parent;
    void *source;
} CGtkIdentifierModel;

/// The main queue of libdispatch for main loops of others: the descriptor tells when there is work, the call does it.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

// What another process has passed on to be read. The header is none of those that GTK brings.
GType g_unix_input_stream_get_type(void);
int g_unix_input_stream_get_fd(GInputStream *stream);

// How a window is named to other programs. The headers of X and Wayland would bring all of their names in.
#ifdef GDK_WINDOWING_X11
GType gdk_x11_surface_get_type(void);
unsigned long gdk_x11_surface_get_xid(GdkSurface *surface);
#endif
#ifdef GDK_WINDOWING_WAYLAND
GType gdk_wayland_toplevel_get_type(void);
gboolean gdk_wayland_toplevel_export_handle(
    GdkToplevel *toplevel, void (*callback)(GdkToplevel *, const char *, gpointer), gpointer data, GDestroyNotify destroy);
void gdk_wayland_toplevel_unexport_handle(GdkToplevel *toplevel);
#endif

/// A window's number on an X server; 0 where it is on none.
static inline unsigned long cgtk_xid(GdkSurface *_Nonnull surface) {
#ifdef GDK_WINDOWING_X11
    if (G_TYPE_CHECK_INSTANCE_TYPE(surface, gdk_x11_surface_get_type())) return gdk_x11_surface_get_xid(surface);
#endif
    return 0;
}

/// Asks a Wayland compositor for a window's name; false where it is on none, or it names no windows. Then nothing is called.
static inline gboolean cgtk_export_handle(
    GdkSurface *_Nonnull surface, void (*_Nonnull callback)(GdkToplevel *, const char *, gpointer), gpointer data,
    GDestroyNotify destroy) {
#ifdef GDK_WINDOWING_WAYLAND
    if (G_TYPE_CHECK_INSTANCE_TYPE(surface, gdk_wayland_toplevel_get_type()))
        return gdk_wayland_toplevel_export_handle(GDK_TOPLEVEL(surface), callback, data, destroy);
#endif
    return FALSE;
}

/// Has a Wayland compositor forget a window's name.
static inline void cgtk_unexport_handle(GdkSurface *_Nonnull surface) {
#ifdef GDK_WINDOWING_WAYLAND
    if (G_TYPE_CHECK_INSTANCE_TYPE(surface, gdk_wayland_toplevel_get_type()) && !gdk_surface_is_destroyed(surface))
        gdk_wayland_toplevel_unexport_handle(GDK_TOPLEVEL(surface));
#endif
}

static inline GType cgtk_type_object(void) { return G_TYPE_OBJECT; }
static inline GType cgtk_type_file(void) { return G_TYPE_FILE; }
static inline GType cgtk_type_file_list(void) { return GDK_TYPE_FILE_LIST; }
static inline GType cgtk_type_list_model(void) { return G_TYPE_LIST_MODEL; }

/// A new object with its defaults; GObject ends the program where there is no memory.
static inline GObject *_Nonnull cgtk_new(GType type) { return g_object_new(type, NULL); }

/// Has those who listen to an adjustment look at its value again.
static inline void cgtk_adjustment_repeat_value(GtkAdjustment *_Nonnull adjustment) {
    g_signal_emit_by_name(adjustment, "value-changed");
}

static inline GType cgtk_value_type(const GValue *value) { return G_VALUE_TYPE(value); }
static inline GType cgtk_fundamental(GType type) { return G_TYPE_FUNDAMENTAL(type); }
static inline GType cgtk_instance_type(gpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }

static inline GType cgtk_fundamental_object(void) { return G_TYPE_OBJECT; }
static inline GType cgtk_fundamental_interface(void) { return G_TYPE_INTERFACE; }
static inline GType cgtk_fundamental_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType cgtk_fundamental_int(void) { return G_TYPE_INT; }
static inline GType cgtk_fundamental_uint(void) { return G_TYPE_UINT; }
static inline GType cgtk_fundamental_double(void) { return G_TYPE_DOUBLE; }
static inline GType cgtk_fundamental_boxed(void) { return G_TYPE_BOXED; }
static inline GType cgtk_fundamental_variant(void) { return G_TYPE_VARIANT; }
static inline GType cgtk_fundamental_none(void) { return G_TYPE_NONE; }
static inline GType cgtk_fundamental_string(void) { return G_TYPE_STRING; }

static inline void cgtk_set_marshal(GClosure *closure, GClosureMarshal marshal) {
    g_closure_set_marshal(closure, marshal);
}

static inline void cgtk_set_list_model_vtable(
    gpointer interface, GType (*item_type)(GListModel *), guint (*n_items)(GListModel *),
    gpointer (*item)(GListModel *, guint)) {
    GListModelInterface *table = (GListModelInterface *)interface;
    table->get_item_type = item_type;
    table->get_n_items = n_items;
    table->get_item = item;
}

/// What a screen reader calls a widget.
static inline void cgtk_set_accessible_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/// Has screen readers pass over a widget.
static inline void cgtk_hide_from_screen_readers(GtkWidget *widget) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

/// A widget of a class of ours, whose role can be given only when it is made.
static inline GObject *_Nonnull cgtk_new_canvas(GType type, GtkAccessibleRole role) {
    return g_object_new(type, "accessible-role", role, NULL);
}

/// What a screen reader says after the name.
static inline void cgtk_set_accessible_description(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/// A dialog of one question; the heading and the body are text, not formats.
static inline GtkWidget *cgtk_message_dialog(GtkWindow *parent, const char *heading, const char *body) {
    return adw_message_dialog_new(parent, heading, body);
}

static inline void cgtk_message_dialog_add_response(GtkWidget *dialog, const char *name, const char *label) {
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), name, label);
}

/// Marks what is wrong in a text: a wavy line below it, in the red of GNOME's palette.
static inline GtkTextTag *cgtk_new_error_tag(void) {
    GdkRGBA red = {0.88f, 0.11f, 0.14f, 1};
    return GTK_TEXT_TAG(g_object_new(GTK_TYPE_TEXT_TAG, "underline", PANGO_UNDERLINE_ERROR, "underline-rgba", &red, NULL));
}

/// A number with the locale's marks between thousands.
static inline void cgtk_format_grouped(char *buffer, size_t size, long number) {
    snprintf(buffer, size, "%'ld", number);
}

/// A number with so many decimals behind the locale's mark.
static inline void cgtk_format_decimal(char *buffer, size_t size, int decimals, double number) {
    snprintf(buffer, size, "%.*f", decimals, number);
}

/// Gives the system the memory that the allocator keeps for later; any thread will do.
static inline int cgtk_trim_memory(void) {
    return malloc_trim(0);
}
