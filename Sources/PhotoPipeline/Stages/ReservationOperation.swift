import ImageCodecs
import Operations
import Pixels

/// Stands before a decoding until there is memory for the decoded picture.
///
/// Back-pressure is a dependency like any other: no thread waits, and no slot of the decode queue is taken by a picture
/// that cannot be decoded yet.
final class ReservationOperation: AsyncOperation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let memory: PhotoMemory
    private let part: PhotoMemory.Part
    private let countBytes: @Sendable () -> Int?

    /// - Parameter countBytes: Asked at the start for how many bytes it is; nil for none.
    init(memory: PhotoMemory, part: PhotoMemory.Part, countBytes: @escaping @Sendable () -> Int?) {
        self.memory = memory
        self.part = part
        self.countBytes = countBytes
        super.init()
    }

    override func execute() {
        if let bytes = countBytes() { ask(for: bytes) } else { finish() }
    }

    override func cancelExecution() {
        finish()
    }

    private func ask(for bytes: Int) {
        if isFinished { return }
        let granted = memory.request(bytes, for: part) { [weak self] in
            self?.ask(for: bytes)
        }
        guard granted else { return }
        finish()
        // Given up just now: nobody will say that it is not needed.
        if isCancelled { memory.hold(0, for: part) }
    }
}

extension PixelSize {
    /// The bytes of a picture of this size; nil for one that is not decoded, as a header can name sizes of which nobody
    /// can count the bytes.
    func imageBytes(within limits: DecodeLimits) -> Int? {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow || pixels > limits.maxPixels ? nil : min(pixels, .max / 4) * 4
    }
}
