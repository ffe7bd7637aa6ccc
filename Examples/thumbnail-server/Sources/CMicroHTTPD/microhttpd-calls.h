// What Swift cannot call: functions with any number of arguments, and what needs a macro.
#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Starts a server on a loopback port, 0 for any, with a thread for each of at most so many connections. It watches them
/// with poll(), since select() knows no descriptors above 1023.
static inline struct MHD_Daemon *chttp_start(
    uint16_t port, unsigned connections, MHD_AccessHandlerCallback handler, void *context) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port, NULL, NULL, handler, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_END);
}

/// The port that it listens on.
static inline uint16_t chttp_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/// The socket of a connection; -1 if there is none.
static inline int chttp_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// A parameter of a query; NULL where it is missing.
static inline const char *chttp_argument(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

/// A field of a request's header; NULL where it is missing.
static inline const char *chttp_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// A descriptor that can be read once chttp_signal() was called.
static inline int chttp_event(void) { return eventfd(0, EFD_CLOEXEC); }
static inline void chttp_signal(int event) { eventfd_write(event, 1); }

/// What poll() says of a socket whose other side has hung up: POLLRDHUP, which glibc shows to C only.
enum { CHTTP_HANG_UP = 0x2000 };
