#pragma once
// What newer versions deprecate is no warning.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <linux/sockios.h>
// For the sockets of idle connections: the Glibc module of Swift does not have it.
#include <sys/epoll.h>
#endif

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call. Each helper
// takes one of the argument types that libcurl's options expect, so that a wrong one is a compile error.


static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, curl_write_callback function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_read_function(CURL *easy, curl_read_callback function) {
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}

static inline CURLcode ccurl_set_seek_function(CURL *easy, curl_seek_callback function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_set_open_function(CURL *easy, curl_opensocket_callback function) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode ccurl_set_close_function(CURL *easy, curl_closesocket_callback function) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode ccurl_set_prereq_function(CURL *easy, curl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_set_progress_function(CURL *easy, curl_xferinfo_callback function) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// How many bytes that were written to a socket the peer has not acknowledged; 0 if the system cannot tell.
static inline int ccurl_unacknowledged(int socket) {
#ifdef SIOCOUTQ
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
#else
    (void)socket;
    return 0;
#endif
}

// One of the counts that the system keeps of a connection, by its offset in struct tcp_info of linux/tcp.h, which only grows at its
// end; that of glibc is shorter. -1 if the system cannot tell.
static inline long long ccurl_tcp_count(int socket, size_t offset) {
#ifdef __linux__
    enum { tcp_info = 11 };
    char info[256];
    socklen_t size = sizeof info;
    unsigned long long count = 0;
    if (getsockopt(socket, IPPROTO_TCP, tcp_info, info, &size) != 0 || size < offset + sizeof count) return -1;
    memcpy(&count, info + offset, sizeof count);
    return (long long)count;
#else
    (void)socket;
    (void)offset;
    return -1;
#endif
}

// How many bytes that were sent over a connection the peer has acknowledged; -1 if the system cannot tell.
static inline long long ccurl_acknowledged_count(int socket) {
    enum { bytes_acked = 120 };
    return ccurl_tcp_count(socket, bytes_acked);
}

// How many bytes have come over a connection and were read from its socket; -1 if the system cannot tell.
static inline long long ccurl_read_count(int socket) {
    enum { bytes_received = 128 };
    long long received = ccurl_tcp_count(socket, bytes_received);
    int unread = 0;
    if (received < 0 || ioctl(socket, FIONREAD, &unread) != 0) return -1;
    return received - unread;
}

// How many bytes of a connection are decrypted and were not asked for, as far as OpenSSL knows. libcurl does not ask
// for more than a body's length, so what follows in the same TLS record stays there, where no look at the socket finds
// it. The function is that of the library which libcurl has loaded.
static inline int ccurl_decrypted(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return 0;
    if (session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return 0;
    int (*pending)(const void *) = (int (*)(const void *))dlsym(NULL, "SSL_pending");
    return pending ? pending(session->internals) : 0;
}

// The result is a union in CURLMsg, which Swift imports without the enum's name.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}
