import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --header`.
final class HeaderOptionTests: DevelopTestCase {
    private let secret = "5ecre7-70ken"
    private var authorization: String { "Authorization: Bearer \(secret)" }

    func testHeadersGoToTheHostsOfTheCatalogAndNoFurther() throws {
        let other = try FaultServer()
        defer { other.stop() }
        other.serve(try Self.image(.jpeg), at: "/b.jpg")
        other.serve(try Self.image(.jpeg), at: "/there.jpg")
        server.serve(
            Data(), at: "/away.jpg", headers: ["Status": "302", "Location": other.url("/there.jpg").absoluteString])
        let text = [server.url("/a.jpg"), other.url("/b.jpg"), server.url("/away.jpg")].map(\.absoluteString)
            .joined(separator: "\n")
        let (trace, cache) = (folder.appending(path: "trace.json"), folder.appending(path: "cache"))
        try Data(text.utf8).write(to: folder.appending(path: "list.txt"))
        let (status, rows, run) = try develop(
            folder.appending(path: "list.txt").path,
            [
                "--header", authorization, "--header=X-Key:\(secret)", "--trace", trace.path, "--cache", cache.path,
                "--verbose",
            ])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.count, 3)
        for (server, path) in [(server!, "/a.jpg"), (other, "/b.jpg"), (server!, "/away.jpg")] {
            XCTAssertEqual(server.requestHeaders("Authorization", at: path), ["Bearer \(secret)"], path)
            XCTAssertEqual(server.requestHeaders("X-Key", at: path), [secret], path)
        }
        for name in ["Authorization", "X-Key"] {
            XCTAssertEqual(other.requestHeaders(name, at: "/there.jpg"), [nil], name)
        }
        // Nothing that is left behind has it.
        XCTAssertFalse((run.output + run.error).contains(secret))
        var files = [report, trace]
        for folder in [cache, output.appending(path: ".classicphotos")] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            XCTAssertFalse(names.isEmpty, folder.path)
            files += names.map { folder.appending(path: $0) }
        }
        for file in files {
            guard !file.hasDirectoryPath else { continue }
            XCTAssertNil(try Data(contentsOf: file).range(of: Data(secret.utf8)), file.lastPathComponent)
        }
    }

    /// The server of a catalog is not one that the catalog names; what it names on itself is.
    func testTheServerOfACatalogGetsThemForPhotosOnly() throws {
        server.serve(Data(server.url("/a.jpg").absoluteString.utf8), at: "/list.txt")
        let (status, _, run) = try develop(server.url("/list.txt").absoluteString, ["--header", authorization])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/list.txt"), [nil])
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a.jpg"), ["Bearer \(secret)"])
    }

    func testHeadersFromAFile() throws {
        let file = folder.appending(path: "headers")
        try Data("\(authorization)\r\n\nCookie: a=b\nX-Last: 1".utf8).write(to: file)
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for (arguments, input) in [
            (["--header", "@\(file.path)", "--header", "X-More: 2"], Data()),
            (["--header", "X-More: 2", "--header", "@-"], try Data(contentsOf: file)),
        ] {
            let run = try ProgramRun(["develop", catalog, "-o", output.path] + arguments, input: input)
            XCTAssertEqual(run.wait(), 0, run.error)
            // A run in the same folder would go on, and fetch nothing again.
            try FileManager.default.removeItem(at: output)
        }
        // A pipe, as a shell makes one of what another program says.
        let script = "exec \"$0\" develop \"$1\" -o \"$2\" --quiet --header @<(echo 'X-Last: 1'; echo 'X-More: 2')"
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["-c", script, try ProgramRun.executable().path, catalog, output.path]
        try bash.run()
        bash.waitUntilExit()
        XCTAssertEqual(bash.terminationStatus, 0)
        let bearer = "Bearer \(secret)"
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a.jpg"), [bearer, bearer, nil])
        XCTAssertEqual(server.requestHeaders("Cookie", at: "/a.jpg"), ["a=b", "a=b", nil])
        XCTAssertEqual(server.requestHeaders("X-Last", at: "/a.jpg"), ["1", "1", "1"])
        XCTAssertEqual(server.requestHeaders("X-More", at: "/a.jpg"), ["2", "2", "2"])
    }

    func testWhatCannotBeSentIsWrongUsageAndNotRepeated() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let file = folder.appending(path: "headers")
        try Data("X-Key: 1\nBearer \(secret)\n".utf8).write(to: file)
        let large = folder.appending(path: "large")
        try Data(repeating: 65, count: 100_000).write(to: large)
        for (headers, message) in [
            ([secret], "NAME: VALUE"), (["Bearer \(secret):"], "NAME: VALUE"), (["X-Key: \(secret)\r\nB: c"], "X-Key"),
            (["Host: \(secret)"], "Host"), (["range: \(secret)"], "range"),
            (["Accept-Encoding: \(secret)"], "Accept-E"),
            (["Proxy-Authorization: \(secret)"], "Proxy-A"), (["User-Agent: \(secret)"], "--user-agent"),
            (["X-Key: \(secret)", "x-key: 2"], "twice"), (["@\(file.path)"], "NAME: VALUE"),
            (["@\(folder.path)/none"], "No such file"), (["@\(folder.path)"], "directory"),
            (["@\(large.path)"], "too large"),
        ] {
            let run = try ProgramRun(["develop", catalog, "-o", output.path] + headers.flatMap { ["--header", $0] })
            XCTAssertEqual(run.wait(), 2, "\(headers)")
            XCTAssert(run.error.contains(message), run.error)
            XCTAssertFalse((run.output + run.error).contains(secret), run.error)
        }
        let both = try ProgramRun(["develop", "-", "-o", output.path, "--header", "@-"])
        XCTAssertEqual(both.wait(), 2)
        XCTAssertEqual(server.requestCount(), 0)
    }
}
