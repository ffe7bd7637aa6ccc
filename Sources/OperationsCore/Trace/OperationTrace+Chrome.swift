public import Foundation

extension OperationTrace {
    /// The trace in the Trace Event Format (JSON), which Perfetto and `chrome://tracing` open.
    ///
    /// Each thread is a row with the operations that ran on it. Asynchronous operations, which overlap on the
    /// thread where they begin, are async slices with a row each. Each slice tells its queue, how long it waited for
    /// dependencies and for a place, and how it ended; an arrow leads from the operation it waited for last. Times are
    /// microseconds since the trace began. Operations that have not finished are left out.
    /// - Throws: `EncodingError`, if an event cannot be written as JSON.
    public func chromeTrace() throws -> Data {
        var whole = Data()
        try writeChromeTrace { whole.append($0) }
        return whole
    }

    /// Gives ``chromeTrace()`` piece by piece, so that the text of a long trace need not be in memory as a whole.
    ///
    /// - Parameter write: Called in order, on the calling thread, with pieces of about 64 kB.
    /// - Throws: What `write` throws; then it is not called again. `EncodingError`, if an event cannot be written as JSON.
    public func writeChromeTrace(_ write: (Data) throws -> Void) throws {
        let records = records
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let threads = Self.numbers(of: records)
        var piece = Data(#"{"displayTimeUnit":"ms","traceEvents":["#.utf8)
        var separator = Data()
        for record in records {
            for event in Self.events(of: record, among: records, threads) {
                piece += try separator + encoder.encode(event)
                separator = Data(",".utf8)
            }
            guard piece.count >= 1 << 16 else { continue }
            try write(piece)
            piece.removeAll(keepingCapacity: true)
        }
        try write(piece + Data("]}".utf8))
    }

    private static func events(
        of record: TraceRecord, among records: [TraceRecord], _ threads: [UInt64: Int]
    ) -> [ChromeEvent] {
        guard let finished = record.finished else { return [] }
        var events: [ChromeEvent] = []
        let thread = threads[record.thread] ?? 0
        let started = record.started ?? finished
        var event = ChromeEvent(
            name: record.name, phase: record.isAsynchronous ? "b" : "X", time: started, thread: thread)
        event.args = ChromeEvent.Arguments(record)
        if record.isAsynchronous {
            event.id = record.identifier
            var end = ChromeEvent(name: record.name, phase: "e", time: finished, thread: thread)
            end.id = record.identifier
            events += [event] + phases(of: record, from: started, to: finished, on: thread) + [end]
        } else {
            event.dur = (finished - started) / .microseconds(1)
            events.append(event)
        }
        guard let cause = record.waitedFor, let met = records[cause].finished else { return events }
        let origin = threads[records[cause].thread] ?? 0
        var arrow = ChromeEvent(name: "dependency", phase: "s", time: met, thread: origin)
        arrow.id = record.identifier
        events.append(arrow)
        arrow = ChromeEvent(name: "dependency", phase: "f", time: started, thread: thread)
        arrow.id = record.identifier
        arrow.bp = "e"
        events.append(arrow)
        return events
    }

    /// What an operation was about, as slices within its own.
    private static func phases(
        of record: TraceRecord, from started: Duration, to finished: Duration, on thread: Int
    ) -> [ChromeEvent] {
        let ends = record.phases.dropFirst().map(\.began) + [finished]
        return zip(record.phases, ends).flatMap { phase, end in
            [("b", phase.began), ("e", end)].map { kind, time in
                var event = ChromeEvent(
                    name: phase.name.description, phase: kind, time: min(max(time, started), finished), thread: thread)
                event.id = record.identifier
                return event
            }
        }
    }

    /// Small numbers in place of the system's, in the order of appearance.
    private static func numbers(of records: [TraceRecord]) -> [UInt64: Int] {
        var numbers: [UInt64: Int] = [:]
        for record in records where numbers[record.thread] == nil { numbers[record.thread] = numbers.count + 1 }
        return numbers
    }
}

/// One event, by the names of the format.
private struct ChromeEvent: Encodable {
    struct Arguments: Encodable {
        let queue: String
        let waitedForDependencies: Double?
        let waitedForPlace: Double?
        let outcome: String

        init(_ record: TraceRecord) {
            queue = record.queue
            waitedForDependencies = Self.microseconds(from: record.added, to: record.ready)
            waitedForPlace = Self.microseconds(from: record.ready, to: record.started)
            outcome = record.isCancelled ? "cancelled" : record.hasFailed ? "failed" : "finished"
        }

        private static func microseconds(from start: Duration?, to end: Duration?) -> Double? {
            guard let start, let end else { return nil }
            return (end - start) / .microseconds(1)
        }
    }

    let name: String
    let ph: String
    let ts: Double
    let tid: Int
    var dur: Double?
    var pid = 1
    var cat = "operation"
    var id: Int?
    var bp: String?
    var args: Arguments?

    init(name: String, phase: String, time: Duration, thread: Int) {
        self.name = name
        ph = phase
        ts = time / .microseconds(1)
        tid = thread
    }
}
