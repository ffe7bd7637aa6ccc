import Operations

/// The timeline of a run's operations, as the Chrome trace JSON that Perfetto opens.
///
/// What it records stays in memory until the end: about two kilobytes for each operation.
final class TraceFile: Sendable {
    private let path: String
    private let trace: OperationTrace

    /// Fails where no file could be written.
    static func check(path: String) throws(DevelopmentError) {
        do {
            try OutputFile.check(path)
        } catch {
            throw .traceUnusable(path: path, reason: error.reason)
        }
    }

    /// Begins to record; fails where the file could not be written.
    init(path: String, of queues: [OperationQueue]) throws(DevelopmentError) {
        try Self.check(path: path)
        self.path = path
        trace = OperationTrace(of: queues)
    }

    /// Ends recording and writes the file. Only once, when the operations have finished.
    func finish() throws(DevelopmentError) {
        trace.stop()
        do {
            let file = try OutputFile(path)
            try trace.writeChromeTrace { try file.write($0) }
            try file.commit()
        } catch let error as FileError {
            throw .traceUnusable(path: path, reason: error.reason)
        } catch {
            throw .traceUnusable(path: path, reason: "\(error)")
        }
    }
}
