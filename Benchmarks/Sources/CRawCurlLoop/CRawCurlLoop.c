#include "CRawCurlLoop.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

struct body {
    char *bytes;
    size_t count, capacity;
};

static size_t store(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (body->count + length > body->capacity) {
        size_t capacity = body->capacity ? body->capacity : 16384;
        while (capacity < body->count + length) capacity *= 2;
        char *grown = realloc(body->bytes, capacity);
        if (!grown) return 0;
        body->bytes = grown;
        body->capacity = capacity;
    }
    memcpy(body->bytes + body->count, bytes, length);
    body->count += length;
    return length;
}

long raw_curl_download(const char *url, int count, int width) {
    CURLM *multi = curl_multi_init();
    CURL **handles = calloc(width, sizeof *handles);
    struct body *bodies = calloc(width, sizeof *bodies);
    long total = 0;
    int started = 0, finished = 0, failed = 0, running = 0;
    for (int i = 0; i < width; i++) {
        handles[i] = curl_easy_init();
        curl_easy_setopt(handles[i], CURLOPT_URL, url);
        curl_easy_setopt(handles[i], CURLOPT_WRITEFUNCTION, store);
        curl_easy_setopt(handles[i], CURLOPT_WRITEDATA, &bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_PRIVATE, (char *)&bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handles[i], CURLOPT_PROXY, "");
        if (started < count) {
            started++;
            curl_multi_add_handle(multi, handles[i]);
        }
    }
    while (finished < count) {
        curl_multi_perform(multi, &running);
        int left = 0, again = 0;
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *handle = message->easy_handle;
            struct body *body = NULL;
            curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&body);
            if (message->data.result != CURLE_OK) failed++;
            total += (long)body->count;
            // Every body is memory of its own, as it is for whoever uses the bytes.
            free(body->bytes);
            memset(body, 0, sizeof *body);
            curl_multi_remove_handle(multi, handle);
            finished++;
            if (started < count) {
                started++;
                again = 1;
                curl_multi_add_handle(multi, handle);
            }
        }
        if (finished < count && !again) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    for (int i = 0; i < width; i++) {
        curl_multi_remove_handle(multi, handles[i]);
        curl_easy_cleanup(handles[i]);
        free(bodies[i].bytes);
    }
    curl_multi_cleanup(multi);
    free(handles);
    free(bodies);
    return failed ? -1 : total;
}
