import Operations

/// The timeline of a run's operations, as the Chrome trace JSON that Perfetto opens.
///
/// What it records stays in memory until the end: some hundred bytes for each operation.
final class TraceFile: Sendable {
    /// Holds its queue's last event open until the file is written.
    private final class Mark: AsyncOperation, @unchecked Sendable {
        // Safe to share: it has no state of its own.
        override func execute() {}
    }

    private let path: String
    private let queues: [OperationQueue]
    private let trace: OperationTrace

    /// Begins to record; fails where the file could not be written.
    init(path: String, of queues: [OperationQueue]) throws(DevelopmentError) {
        do {
            _ = try TemporaryFile(beside: path)
        } catch {
            throw .traceUnusable(path: path, reason: error.reason)
        }
        self.path = path
        self.queues = queues
        trace = OperationTrace(of: queues)
    }

    /// Adds a photo's name to those of its operations, from the last one back along the dependencies.
    static func name(_ last: Operation, and photo: String) {
        var next: Operation? = last
        while let operation = next {
            operation.name = [operation.name, photo].compactMap(\.self).joined(separator: " ")
            next = operation.dependencies.first
        }
    }

    /// Ends recording and writes the file. Only once, when the operations have finished.
    func finish() async throws(DevelopmentError) {
        let marks = await caughtUp()
        defer { for mark in marks { mark.finish() } }
        trace.stop()
        do {
            let bytes = try trace.chromeTrace()
            let file = try TemporaryFile(beside: path)
            try file.write(bytes)
            try file.commit(to: path)
        } catch let error as FileError {
            throw .traceUnusable(path: path, reason: error.reason)
        } catch {
            throw .traceUnusable(path: path, reason: "\(error)")
        }
    }

    /// Waits until the trace has been told of all that happened so far.
    ///
    /// An operation's end may be known to others before its event is delivered. Events come in order, and to the trace
    /// first: once a mark's own event is seen, the trace has those before it. A mark is unfinished, so it is not written.
    private func caughtUp() async -> [AsyncOperation] {
        var marks: [AsyncOperation] = []
        for queue in queues {
            let mark = Mark()
            let events = queue.events()
            queue.addOperation(mark)
            for await event in events where event.operation === mark { break }
            marks.append(mark)
        }
        return marks
    }
}
