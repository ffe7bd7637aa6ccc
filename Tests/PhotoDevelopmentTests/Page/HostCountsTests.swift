import PhotoPipeline
import Testing

@testable import PhotoDevelopment

@Suite struct HostCountsTests {
    private func row(failed: Bool) -> ReportRow {
        ReportRow(
            name: "", address: "", outcome: failed ? .failed(PhotoError(.timeout, "")) : .filtered(files: [""]),
            bytes: 10,
            milliseconds: 5)
    }

    @Test("The worst and the largest come first")
    func order() {
        var counts = HostCounts()
        for (host, rows, failed) in [("a", 9, 0), ("b", 3, 3), ("c", 5, 1), ("d", 5, 1)] {
            for index in 0..<rows { counts.add(row(failed: index < failed), host: host) }
        }
        #expect(counts.worst(10).map(\.name) == ["b", "c", "d"])
        #expect(counts.worst(1).map(\.failed) == [3])
        #expect(counts.largest(3).map(\.name) == ["a", "c", "d"])
        #expect(counts.largest(1).map(\.bytes) == [90] && counts.largest(1).map(\.milliseconds) == [45])
        #expect(counts.missing == 0)
    }

    @Test("Of many hosts few are counted, and none lacks more than is said", arguments: [1, 2, 3] as [UInt64])
    func bounded(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var counts = HostCounts(limit: 200)
        var rows: [String: Int] = [:]
        var failures: [String: Int] = [:]
        for _ in 0..<20_000 {
            // From some with thousands of rows to many with one.
            let host = "h\(random(1 << random(13)))"
            let failed = random(4) == 0
            counts.add(row(failed: failed), host: host)
            rows[host, default: 0] += 1
            if failed { failures[host, default: 0] += 1 }
            #expect(counts.count <= 200, "seed \(seed)")
        }
        #expect(rows.count > 2_000 && counts.missing > 0, "seed \(seed)")
        #expect(counts.missing <= 20_000 / 100, "seed \(seed)")
        let counted = Dictionary(uniqueKeysWithValues: counts.largest(200).map { ($0.name, $0) })
        for (host, count) in rows where count > counts.missing {
            #expect(counted[host] != nil, "\(host), seed \(seed)")
        }
        for (name, host) in counted {
            #expect(host.rows <= rows[name] ?? 0 && host.rows + counts.missing >= rows[name] ?? 0, "seed \(seed)")
            #expect(
                host.failed <= failures[name] ?? 0 && host.failed + counts.missing >= failures[name] ?? 0,
                "seed \(seed)")
        }
    }

    @Test(
        "The host of an address",
        arguments: [
            ("https://Example.org/a", "example.org"), ("http://a.b:8080?x", "a.b:8080"), ("HTTPS://u:p@h#f", "h"),
            ("http://[::1]:9/x", "[::1]:9"), ("https://한국.example/", "한국.example"), ("http:\\\\x", "(no host)"),
            ("http://h\\x", "h"), ("file:///a", "(no host)"), ("a/b.jpg", "(no host)"), ("", "(no host)"),
            ("https://", "(no host)"), ("javascript://h/", "(no host)"),
        ])
    func host(address: String, host: String) {
        #expect(HostCounts.host(of: address) == host)
    }
}
