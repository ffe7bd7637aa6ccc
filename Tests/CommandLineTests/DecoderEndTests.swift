import Foundation
import Glibc
import TestServers
import XCTest

/// What becomes of a run whose decoders are ended from outside or crash.
final class DecoderEndTests: DevelopTestCase {
    /// librsvg draws for many minutes what this asks for.
    private static let endlessImage: Data = {
        let filters = (0..<120).map { "<feTurbulence baseFrequency='0.0\($0 + 1)' numOctaves='40'/>" }.joined()
        return Data(
            ("<svg xmlns='http://www.w3.org/2000/svg' width='1500' height='1500'><filter id='f'>\(filters)</filter>"
                + "<rect width='1500' height='1500' filter='url(#f)'/></svg>").utf8)
    }()

    /// The decoder of a program that has computed for longest, if for half a second at least.
    private func busyDecoder(of program: pid_t) -> pid_t? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let decoders = names.compactMap { pid_t($0) }.compactMap { pid -> (pid_t, Double)? in
            let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            let parts = text.split(separator: ")")
            let fields = parts.last?.split(separator: " ") ?? []
            guard parts.first?.hasSuffix("(photo-decoder") == true, fields.count > 13, fields[0] != "Z",
                fields[1] == "\(program)"
            else { return nil }
            return (pid, (Double(fields[11]) ?? 0) / Double(sysconf(Int32(_SC_CLK_TCK))))
        }
        return decoders.filter { $0.1 > 0.5 }.max { $0.1 < $1.1 }?.0
    }

    private func develop(endingDecodersWith signal: Int32) throws -> [[String]] {
        server.serve(Self.endlessImage, at: "/endless.svg")
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("endless", server.url("/endless.svg").absoluteString),
            ("b", server.url("/b.png").absoluteString),
        ])
        let run = try ProgramRun(["develop", catalog, "--output", output.path, "--report", report.path])
        try XCTSkipIf(run.reservedMegabytes > 1 << 20, "a sanitizer would take this for a fault of ours")
        for _ in 0..<2 {
            let deadline = ContinuousClock.now + .seconds(60)
            var decoder: pid_t?
            while decoder == nil, run.isRunning, .now < deadline {
                decoder = busyDecoder(of: run.processIdentifier)
                usleep(5_000)
            }
            kill(try XCTUnwrap(decoder, run.error), signal)
            while busyDecoder(of: run.processIdentifier) == decoder, .now < deadline { usleep(5_000) }
        }
        XCTAssertEqual(run.wait(), 1, run.error)
        return try rows()
    }

    func testACrashOfADecoderCostsOneRow() throws {
        let rows = try develop(endingDecodersWith: SIGSEGV)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "failed", "filtered"])
        XCTAssertEqual(rows.map { $0[3] }, ["", "damaged-image", ""])
    }

    func testADecoderThatIsKilledForWantOfMemoryIsSaidToBe() throws {
        let rows = try develop(endingDecodersWith: SIGKILL)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "failed", "filtered"])
        XCTAssertEqual(rows.map { $0[3] }, ["", "memory-limit", ""])
    }
}
