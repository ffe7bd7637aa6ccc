#pragma once
// What is deprecated since a later version than the oldest one that we build with, that of Debian 12, is no warning.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define SOUP_VERSION_MIN_REQUIRED SOUP_VERSION_3_2
#include <libsoup/soup.h>

// Swift calls neither functions with a variable number of arguments nor GObject's macros.

static inline SoupServer *_Nonnull csoup_new_server(void) { return soup_server_new(NULL, NULL); }

/// Calls `done` once, when a message is answered or its client is gone, and `destroy` with the data afterwards.
static inline void csoup_when_finished(
    SoupServerMessage *_Nonnull message, void (*_Nonnull done)(SoupServerMessage *_Nonnull, gpointer), gpointer data,
    void (*_Nonnull destroy)(gpointer, GClosure *))
{
    g_signal_connect_data(message, "finished", G_CALLBACK(done), data, destroy, G_CONNECT_DEFAULT);
}
