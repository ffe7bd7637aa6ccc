import FoundationEssentials
import ImageCodecs
import Operations
import Transfers

/// Looks what there is of frames in the bytes that a download brought; depends on that download.
final class AnimationOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let longestSide: Int?
    private let limits: DecodeLimits
    private let decode: PictureDecoding
    private let takeBody: @Sendable () -> Result<DownloadResponse, TransferError>?
    private let countAttempts: @Sendable () -> Int
    private let releaseBody: @Sendable () -> Void
    private let outcome = Lock<Result<FrameSource, PhotoError>?>(nil)

    /// The closures are those of ``DecodeOperation``.
    init(
        longestSide: Int?, limits: DecodeLimits, decode: @escaping PictureDecoding,
        takeBody: @escaping @Sendable () -> Result<DownloadResponse, TransferError>?,
        countAttempts: @escaping @Sendable () -> Int, releaseBody: @escaping @Sendable () -> Void
    ) {
        self.longestSide = longestSide
        self.limits = limits
        self.decode = decode
        self.takeBody = takeBody
        self.countAttempts = countAttempts
        self.releaseBody = releaseBody
        super.init()
        name = "Open animation"
    }

    /// The frames' source, or why there is none; nil before the operation has finished and when it was cancelled.
    var result: Result<FrameSource, PhotoError>? { outcome.withLock { $0 } }

    override func main() {
        guard let received = takeBody() else { return }
        do throws(PhotoError) {
            let source = try source(received)
            outcome.withLock { $0 = .success(source) }
        } catch {
            fail(error)
            outcome.withLock { $0 = .failure(error) }
        }
        releaseBody()
    }

    private func source(_ received: Result<DownloadResponse, TransferError>) throws(PhotoError) -> FrameSource {
        switch received {
        case .failure(let error): throw PhotoError(error, attempts: countAttempts())
        case .success(let response):
            do throws(ImageCodecError) {
                return try FrameSource(
                    response.body, longestSide: longestSide, limits: limits, decode: decode
                ) { [unowned self] in isCancelled }
            } catch {
                throw PhotoError(error)
            }
        }
    }
}
