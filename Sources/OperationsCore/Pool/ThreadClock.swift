import Foundation

/// Tells whether a thread computes or is blocked, from another one.
///
/// A thread that has used next to no processor time for a while may be blocked, or may wait for a processor that others have:
/// the kernel tells which.
struct ThreadClock: Sendable {
    /// What a look at a thread tells.
    enum Sight {
        /// It was not seen in this turn before.
        case new
        case awake
        /// Asleep once: it may be at a mutex for a moment.
        case asleep
        /// Asleep at the last look of this turn, too.
        case blocked
    }

    /// What was seen of a thread at the last look.
    struct Sample: Sendable {
        /// Nanoseconds of processor time.
        private var used: Int64 = 0
        /// The same since the last look, in one turn.
        private(set) var usedSinceLast: Int64 = 0
        /// Which of the thread's turns it was; the first is 1.
        private var turn: UInt = 0
        private var sight = Sight.new

        /// A thread that has used no more of the processor than this since the last look is looked at more closely.
        private static let littleNanoseconds = 100_000

        /// Looks at the thread again.
        /// - Parameter isAsleep: Asks the kernel, which takes longer than the clock. Of a thread that was blocked at the last look it
        ///   may say so without asking.
        mutating func look(_ used: Int64, inTurn turn: UInt, isAsleep: (_ wasBlocked: Bool) -> Bool) -> Sight {
            guard self.turn == turn else {
                self = Sample(used: used, turn: turn)
                return .new
            }
            usedSinceLast = used - self.used
            self.used = used
            let wasAsleep = sight == .asleep || sight == .blocked
            if usedSinceLast < Self.littleNanoseconds, isAsleep(sight == .blocked) {
                sight = wasAsleep ? .blocked : .asleep
            } else {
                sight = .awake
            }
            return sight
        }
    }

    private let identifier: clockid_t
    /// The kernel's line about the thread; empty where there is none.
    private let status: String

    /// Of the calling thread.
    init() {
        var identifier = clockid_t()
        pthread_getcpuclockid(pthread_self(), &identifier)
        self.identifier = identifier
        var path = [CChar](repeating: 0, count: 64)
        let length = readlink("/proc/thread-self", &path, path.count)
        let thread = path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        status = thread.isEmpty ? "" : "/proc/\(String(decoding: thread, as: UTF8.self))/stat"
    }

    /// Nanoseconds of processor time that the thread has used.
    var used: Int64 {
        var time = timespec()
        clock_gettime(identifier, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The kernel says that the thread waits for something, and not for a processor.
    var isAsleep: Bool {
        guard !status.isEmpty else { return true }
        let file = open(status, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let length = read(file, &line, line.count)
        // "number (name) state", and the name may have anything in it.
        guard length > 0, let end = line[..<length].lastIndex(of: UInt8(ascii: ")")), end + 2 < length else {
            return true
        }
        return line[end + 2] != UInt8(ascii: "R")
    }
}
