import FoundationEssentials
import ImageCodecs
import Operations
import Pixels
import Transfers

/// Stands between a download and its decoding until there is memory for the decoded picture.
///
/// The header of the picture tells how much that is. Back-pressure is a dependency like any other: no thread waits,
/// and no slot of the decode queue is taken by a picture that cannot be decoded yet.
final class ReservationOperation: AsyncOperation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let download: CachedDownloadOperation
    private let longestSide: Int?
    private let limits: DecodeLimits
    private let memory: PhotoMemory

    init(download: CachedDownloadOperation, longestSide: Int?, limits: DecodeLimits, memory: PhotoMemory) {
        self.download = download
        self.longestSide = longestSide
        self.limits = limits
        self.memory = memory
        super.init()
        name = "Wait for memory"
    }

    override func execute() {
        // What is no picture needs no memory; the decoding says what is wrong with it.
        guard case .success(let response) = download.result,
            let info = try? ImageDecoder.probe(response.body, limits: limits)
        else { return finish() }
        let shown = longestSide.map(info.size.fitting(longestSide:)) ?? info.size
        ask(for: shown.width * shown.height * 4)
    }

    override func cancelExecution() {
        finish()
    }

    private func ask(for bytes: Int) {
        let granted = memory.request(bytes, for: .picture(longestSide: longestSide)) { [weak self] in
            self?.ask(for: bytes)
        }
        if granted { finish() }
    }
}
