import Foundation
import Glibc
import XCTest

/// A message bus of its own, on which programs tell screen readers what is on the screen.
///
/// There is one for all tests of a process, because the library behind it connects only once.
enum SessionBus {
    /// Its address; nil where there is no such thing on this machine.
    static let address: String? = {
        // Services that the bus starts get this process's environment.
        TestEnvironment.apply()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // It ends with this process, however that ends: the kernel tells it.
        process.arguments = [
            "setpriv", "--pdeathsig", "TERM", "dbus-daemon", "--session", "--nofork", "--nopidfile",
            "--print-address=1",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 10 {
            line.append(first)
        }
        let address = String(decoding: line, as: UTF8.self)
        guard address.hasPrefix("unix:") else { return nil }
        setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
        return address
    }()
}
