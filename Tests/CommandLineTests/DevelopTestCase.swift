import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// A folder, and a server that misbehaves on request, for tests of `classicphotos develop`.
class DevelopTestCase: XCTestCase {
    private(set) var folder = URL(filePath: "/")
    private(set) var server: FaultServer!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try FaultServer()
        server.serve(try Self.image(.jpeg), at: "/a.jpg")
        server.serve(try Self.image(.png), at: "/b.png")
        server.serve(Data("<!doctype html><p>Nothing here.".utf8), at: "/page.jpg")
        server.serve(try Self.image(.jpeg).dropLast(600), at: "/cut.jpg")
    }

    override func tearDown() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    var output: URL { folder.appending(path: "pictures") }

    /// Writes a catalog of names and addresses.
    func catalog(_ rows: [(String, String)], as name: String = "catalog.json") throws -> String {
        let objects = rows.map { ["name": $0.0, "url": $0.1] }
        let path = folder.appending(path: name)
        try JSONSerialization.data(withJSONObject: objects).write(to: path)
        return path.path
    }

    /// Runs `develop` with a report, to its end.
    func develop(_ catalog: String, _ options: [String] = []) throws -> (
        status: Int32, rows: [[String]], run: ProgramRun
    ) {
        let run = try ProgramRun(
            ["develop", catalog, "--output", output.path, "--report", report.path] + options)
        return (run.wait(), try rows(), run)
    }

    var report: URL { folder.appending(path: "report.csv") }

    /// Makes a socket, which nothing can be written to by its path.
    func makeSocket() throws -> String {
        let path = folder.appending(path: "socket").path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        XCTAssertEqual(status, 0)
        return path
    }

    /// The report's rows without its header; its fields hold neither quotes nor commas in these tests but in `detail`.
    func rows() throws -> [[String]] {
        guard FileManager.default.fileExists(atPath: report.path) else { return [] }
        let text = try String(contentsOf: report, encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in Self.fields(String(line)) }
    }

    /// The names in the output folder, hidden ones too, but for what runs remember.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: output.path).filter { $0 != ".classicphotos" }.sorted()
    }

    /// The folder of what runs remember.
    var journal: URL { output.appending(path: ".classicphotos") }

    /// Waits for a condition; fails when it is not met for a minute.
    func wait(_ what: String, line: UInt = #line, until isMet: () throws -> Bool) rethrows {
        let limit = Date(timeIntervalSinceNow: 60)
        while try !isMet() {
            if Date() > limit { return XCTFail("it never came: \(what)", line: line) }
            usleep(5_000)
        }
    }

    /// The SHA-256 of bytes, as another program reckons it.
    static func sha256(_ bytes: Data) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "sum-\(UUID())")
        try bytes.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        process.arguments = [path.path]
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return String(text.prefix(64))
    }

    /// A picture with something to see in it.
    static func image(_ format: ImageEncoder.Format, width: Int = 320, height: Int = 200) throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            for pixel in 0..<width * height {
                bytes[pixel * 4] = UInt8(pixel % width * 255 / width)
                bytes[pixel * 4 + 1] = UInt8(pixel / width * 255 / height)
                bytes[pixel * 4 + 2] = UInt8(pixel % 7 * 20)
                bytes[pixel * 4 + 3] = 255
            }
        }
        return try ImageEncoder(format: format).encode(buffer)
    }

    private static func fields(_ line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
