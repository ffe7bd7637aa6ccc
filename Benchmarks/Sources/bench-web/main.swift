import BenchServers
import Foundation

// The hosts of `make bench-run` that nginx cannot play: slow ones, ones that are far away, silent ones.
//
//     bench-web PORT IMAGE ADDRESS...
//
// At each address `/slow-start?ms=N` answers with the image after N milliseconds, and `/stall` never. It says "ready" when all
// listen, and ends when its standard input does.

let arguments = CommandLine.arguments
guard arguments.count > 3, let port = Int(arguments[1]), let image = FileManager.default.contents(atPath: arguments[2])
else {
    FileHandle.standardError.write(Data("usage: bench-web PORT IMAGE ADDRESS...\n".utf8))
    exit(2)
}
do {
    let servers = try arguments.dropFirst(3).map { try FaultServer(address: $0, port: port) }
    for server in servers { server.serve(image, at: Fault.slowStart.rawValue) }
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    withExtendedLifetime(servers) {}
    // Threads that serve hosts which never answer are not waited for.
    exit(0)
} catch {
    FileHandle.standardError.write(Data("bench-web: \(error)\n".utf8))
    exit(1)
}
