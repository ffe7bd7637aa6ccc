#include <dlfcn.h>
#include <stddef.h>

#include "CDecodeHelper.h"

/// What `heif_init` gives back.
struct heif_error {
    int code, subcode;
    const char *message;
};

void chelper_load_plugins(void) {
    // libvips' module brings libheif along, out of sight of this program. Since 1.13 it loads decoders when it is first
    // used, if nobody has asked for them before.
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return;
    struct heif_error (*load)(void *) = (struct heif_error(*)(void *))dlsym(library, "heif_init");
    if (load) load(NULL);
}

void chelper_end_font_threads(void) {
    void *library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return;
    void (*keep)(void *) = (void (*)(void *))dlsym(library, "pango_cairo_font_map_set_default");
    if (keep) keep(NULL);
}
