import OperationsCore

/// Reads local files on a thread of its own, one after the other, so that a slow disk holds up no network transfer.
///
/// The thread exists only while there is something to read.
final class FileReader: Sendable {
    private struct Line {
        var waiting: [FileReading] = []
        var hasThread = false
    }

    private let line = Lock(Line())

    /// Puts a reading in line, for the first time or because it may go on or is to end.
    func submit(_ reading: FileReading) {
        let needsThread = line.withLock { line in
            line.waiting.append(reading)
            if line.hasThread { return false }
            line.hasThread = true
            return true
        }
        guard needsThread else { return }
        // Without a thread the caller's has to do: slower, but nothing is lost.
        if !ClientThread.start({ self.run() }) { run() }
    }

    private func run() {
        while true {
            let batch = line.withLock { line in
                let batch = line.waiting
                line.waiting = []
                if batch.isEmpty { line.hasThread = false }
                return batch
            }
            if batch.isEmpty { return }
            for reading in batch { reading.step() }
        }
    }
}
