import Foundation
import Glibc
import XCTest

/// A message bus of its own, on which programs tell screen readers what is on the screen.
///
/// There is one for all tests of a process. It starts no service but that of screen readers: a desktop's portal, for one,
/// would be there beside the app, as one more program that is read.
enum SessionBus {
    /// Its address; nil where there is no such thing on this machine.
    static let address: String? = {
        // Services that the bus starts get this process's environment.
        TestEnvironment.apply()
        guard let configuration = try? configuration() else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // It ends with this process, however that ends: the kernel tells it.
        process.arguments = [
            "setpriv", "--pdeathsig", "TERM", "dbus-daemon", "--config-file=\(configuration)", "--nofork",
            "--nopidfile", "--print-address=1",
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

    /// Writes how the bus is set up, and gives the file's path.
    private static func configuration() throws -> String {
        let folder = TestEnvironment.folder.appending(path: "bus")
        let services = folder.appending(path: "services")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        let name = "org.a11y.Bus.service"
        let service = try ["/usr/local/share", "/usr/share"].lazy.map { "\($0)/dbus-1/services/\(name)" }
            .first(where: FileManager.default.fileExists).map { try Data(contentsOf: URL(filePath: $0)) }
        guard let service else { throw CocoaError(.fileNoSuchFile) }
        try service.write(to: services.appending(path: name))
        let file = folder.appending(path: "session.conf")
        try Data(
            """
            <busconfig>
              <type>session</type>
              <listen>unix:tmpdir=\(folder.path)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(services.path)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """.utf8
        ).write(to: file)
        return file.path
    }
}
