import ImageCodecs
import Operations
import Pixels
import Transfers

/// Stands before a decoding until there is memory for the decoded picture, and before a filter that needs much of its own.
///
/// Back-pressure is a dependency like any other: no thread waits, and no slot of the decode queue is taken by a picture
/// that cannot be decoded yet.
final class ReservationOperation: AsyncOperation, PhotoOperation, @unchecked Sendable {
    /// What is reserved.
    struct Need {
        let bytes: Int
        let memory: PhotoMemory
        let part: PhotoMemory.Part
    }

    // Safe to share: nothing changes after init.
    let photoAddress: ResourceAddress?
    private let need: @Sendable () -> Need?

    /// - Parameters:
    ///   - address: The photo's; nil for none. Default: none.
    ///   - need: Asked at the start; nil for nothing.
    init(for address: ResourceAddress? = nil, need: @escaping @Sendable () -> Need?) {
        photoAddress = address
        self.need = need
        super.init()
    }

    /// - Parameters:
    ///   - address: The photo's; nil for none. Default: none.
    ///   - countBytes: Asked at the start for how many bytes it is; nil for none.
    convenience init(
        memory: PhotoMemory, part: PhotoMemory.Part, for address: ResourceAddress? = nil,
        countBytes: @escaping @Sendable () -> Int?
    ) {
        self.init(for: address) { countBytes().map { Need(bytes: $0, memory: memory, part: part) } }
    }

    override func execute() {
        if let need = need() { ask(for: need) } else { finish() }
    }

    override func cancelExecution() {
        finish()
    }

    private func ask(for need: Need) {
        if isFinished { return }
        let granted = need.memory.request(need.bytes, for: need.part) { [weak self] in
            self?.ask(for: need)
        }
        guard granted else { return }
        finish()
        // Given up just now: nobody will say that it is not needed.
        if isCancelled { need.memory.hold(0, for: need.part) }
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
