import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// The programs that tests start find nothing of the desktop on which somebody runs the tests.
final class EnvironmentTests: GtkTestCase {
    func testAPersonsDesktopIsKeptOut() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let image = PixelBuffer(size: PixelSize(width: 8, height: 6))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/it")
            server.serve(Data("name,url\nIt,\(server.url("/it"))\n".utf8), at: "/catalog.csv")
            // What desktops set for those who need a proxy, another scale, or an input method, and on Wayland.
            let desktop = [
                "http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1", "GDK_SCALE": "2",
                "GDK_BACKEND": "wayland", "WAYLAND_DISPLAY": "wayland-0", "GTK_IM_MODULE": "ibus",
                "GIO_USE_VFS": "gvfs", "LANGUAGE": "vi",
            ]
            let before = desktop.keys.map { ($0, getenv($0).map { String(cString: $0) }) }
            for (name, value) in desktop { setenv(name, value, 1) }
            defer {
                for (name, value) in before {
                    if let value { setenv(name, value, 1) } else { unsetenv(name) }
                }
            }
            let app = try AppRun([server.url("/catalog.csv").absoluteString], isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("It, Done")
            try person.close()
        }
    }

    /// Tests ask the screen some thousand times, in one process.
    func testToolsKeepNoFilesOpen() throws {
        func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        try Screen.focusTopWindow()
        let before = try openFiles()
        for _ in 0..<20 { _ = try Screen.number(ofWindow: "none has this title") }
        XCTAssertLessThan(try openFiles(), before + 20)
    }

    func testTheMessageBusStartsNoServiceOfADesktop() throws {
        guard let address = SessionBus.address else { throw XCTSkip("there is no message bus (dbus-daemon)") }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "dbus-send", "--bus=\(address)", "--print-reply=literal", "--dest=org.freedesktop.DBus",
            "/org/freedesktop/DBus", "org.freedesktop.DBus.ListActivatableNames",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let names = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        let known: Set<Substring> = ["org.freedesktop.DBus", "org.a11y.Bus"]
        let services = names.split(whereSeparator: { $0.isWhitespace || $0 == "[" || $0 == "]" }).filter {
            $0.contains(".")
        }
        XCTAssertEqual(Set(services), known)
    }

    func testThisProcessHasNothingOfThePersons() throws {
        let environment = ProcessInfo.processInfo.environment
        XCTAssertTrue(TestEnvironment.lines.contains(.set("GIO_USE_VFS", "local")))
        XCTAssertTrue(TestEnvironment.lines.contains(.clear("http_proxy")))
        // A message bus and the locale belong to single tests.
        let changing: Set<String> = ["DBUS_SESSION_BUS_ADDRESS", "LC_ALL", "LANGUAGE", "AT_SPI_BUS_ADDRESS"]
        for line in TestEnvironment.lines {
            switch line {
            case .set(let name, let value) where !changing.contains(name):
                XCTAssertEqual(environment[name], value, name)
            case .clear(let name) where !changing.contains(name): XCTAssertNil(environment[name], name)
            case .set, .clear: break
            }
        }
    }
}
