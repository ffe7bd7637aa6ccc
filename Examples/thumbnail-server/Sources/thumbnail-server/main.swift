// Serves thumbnails of the pictures of other servers, on a loopback port, as behind a proxy. It needs Debian's
// libmicrohttpd-dev beside the packages of the libraries:
//     swift run thumbnail-server [--port N] [--connections N] [--time-limit SECONDS] [--allow-private] [--cache FOLDER]
//     curl 'http://127.0.0.1:8080/thumb?url=https://example.org/dune.jpg&size=256&filter=sepia(80%25)'

import Foundation
import Glibc

func fail(_ text: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("thumbnail-server: \(text)\n".utf8))
    exit(status)
}

// Before there are other threads, which would be asked first.
var ending = sigset_t()
sigemptyset(&ending)
for signal in [SIGINT, SIGTERM] { sigaddset(&ending, signal) }
pthread_sigmask(SIG_BLOCK, &ending, nil)
signal(SIGPIPE, SIG_IGN)

var port: UInt16 = 8_080
var connections: UInt32 = 64
/// How many seconds an answer may take.
var timeLimit = 20
var allowsPrivate = false
var cache: String?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--port":
        guard let number = arguments.popFirst().flatMap({ UInt16($0) }) else { fail("--port needs a number", 2) }
        port = number
    case "--connections":
        guard let number = arguments.popFirst().flatMap({ UInt32($0) }), number > 0 else {
            fail("--connections needs a number above 0", 2)
        }
        connections = number
    case "--time-limit":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), (1...3_600).contains(number) else {
            fail("--time-limit needs a number of seconds, from 1 to 3600", 2)
        }
        timeLimit = number
    case "--allow-private": allowsPrivate = true
    case "--cache":
        guard let folder = arguments.popFirst(), !folder.isEmpty else { fail("--cache needs a folder", 2) }
        cache = folder
    default: fail("there is no option \(argument)", 2)
    }
}
let server = Server(allowsPrivate: allowsPrivate, cache: cache, timeLimit: .seconds(timeLimit))
guard let port = server.start(port: port, connections: connections) else {
    fail("port \(port) is not to be had: \(String(cString: strerror(errno)))", 1)
}
FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)/thumb\n".utf8))
var received: Int32 = 0
sigwait(&ending, &received)
await server.flush()
// Not by `exit`, which clears up libraries of C that connections may be calling.
fflush(nil)
_exit(0)
