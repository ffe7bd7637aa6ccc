import Testing
import Transfers

@testable import PhotoDevelopment

@Suite struct HostLinesTests {
    private func host(_ number: Int) throws -> WebAddress.Origin {
        try WebAddress("https://host\(number).example/").origin
    }

    @Test("A host's line keeps its length as long as rows are kept back, which come in order")
    func refill() throws {
        var lines = HostLines(connectionsPerHost: 20)
        let host = try host(0)
        let areInLine = (0..<50).map { lines.enter($0, of: host, mayKeepBack: true) }
        #expect(areInLine == (0..<50).map { $0 < 40 })
        // Nor does one pass the others where it need not be kept back.
        let isInLine = lines.enter(50, of: host, mayKeepBack: false)
        #expect(!isInLine)
        let first = (0..<5).map { _ in lines.leave(host) }
        #expect(first == [40, 41, 42, 43, 44])
        // One that is tried again is one more in line.
        lines.enterAgain(host)
        let rest = (0..<47).map { _ in lines.leave(host) }
        #expect(rest == [nil, 45, 46, 47, 48, 49, 50] + Array(repeating: nil, count: 40))
        let isInLineAgain = lines.enter(51, of: host, mayKeepBack: true)
        #expect(isInLineAgain)
    }

    @Test("Hosts with few rows have all of them in line")
    func others() throws {
        var lines = HostLines(connectionsPerHost: 8)
        let hosts = try (0..<1_000).map(host)
        let areInLine = (0..<17_000).map { lines.enter($0, of: hosts[$0 % 1_000], mayKeepBack: true) }
        #expect(areInLine == (0..<17_000).map { $0 < 16_000 })
        var dropped: [Int] = []
        lines.dropKept { dropped.append($0) }
        #expect(dropped.sorted() == Array(16_000..<17_000))
        let next = lines.leave(hosts[3])
        #expect(next == nil)
    }

    @Test("What is kept back is bounded, and there is room again when it was taken")
    func bound() throws {
        var lines = HostLines(connectionsPerHost: 1, mostBytes: 60_000)
        let host = try host(0)
        // Gaps as long as these cost five bytes each, and their rows one.
        var count = 0
        while lines.hasRoom {
            count += 1
            _ = lines.enter(count << 33, of: host, mayKeepBack: true)
        }
        #expect((10_000...11_000).contains(count))
        for _ in 0..<count * 2 / 3 { _ = lines.leave(host) }
        #expect(lines.hasRoom)
    }
}
