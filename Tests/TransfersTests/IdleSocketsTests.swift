import Glibc
import Testing

@testable import Transfers

/// Sockets of idle connections, without a client.
@Suite struct IdleSocketsTests {
    private let idle = IdleSockets()

    /// Two ends of a connection.
    private func pair() throws -> (here: Int32, there: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// Which of the watched sockets the system tells of at once.
    private func readable() -> Set<Int32> {
        Set(
            idle.readable { descriptor in
                var entry = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) > 0
            })
    }

    @Test func whatArrivesIsToldOnceWhereItIsWatched() throws {
        let pairs = try (0..<3).map { _ in try pair() }
        defer { for pair in pairs { [pair.here, pair.there].forEach { _ = close($0) } } }
        idle.watch(pairs[0].here)
        idle.watch(pairs[1].here)
        #expect(readable() == [])
        for pair in pairs { #expect(write(pair.there, "a", 1) == 1) }
        idle.unwatch(pairs[1].here)
        #expect(readable() == [pairs[0].here])
        // It is still readable, and would end each wait.
        #expect(readable() == [])
        idle.watch(pairs[0].here)
        #expect(readable() == [pairs[0].here])
    }

    @Test func manyAreToldInTurns() throws {
        let pairs = try (0..<100).map { _ in try pair() }
        defer { for pair in pairs { [pair.here, pair.there].forEach { _ = close($0) } } }
        for pair in pairs {
            idle.watch(pair.here)
            #expect(write(pair.there, "a", 1) == 1)
        }
        var told: Set<Int32> = []
        for _ in 0..<3 { told.formUnion(readable()) }
        #expect(told == Set(pairs.map(\.here)))
    }

    /// A child process has all that its parent has open, until it runs its program.
    @Test func aSocketThatIsClosedHereIsNotTold() throws {
        let (first, second) = (try pair(), try pair())
        idle.watch(first.here)
        #expect(readable() == [])
        let ofTheChild = dup(first.here)
        defer { [first.here, first.there, ofTheChild, second.here, second.there].forEach { _ = close($0) } }
        idle.willClose(first.here)
        // Closes it, and the number is another connection's from then on.
        try #require(dup2(second.here, first.here) == first.here)
        #expect(write(first.there, "a", 1) == 1)
        #expect(readable() == [])
        idle.watch(first.here)
        #expect(readable() == [])
        #expect(write(second.there, "a", 1) == 1)
        #expect(readable() == [first.here])
    }
}
