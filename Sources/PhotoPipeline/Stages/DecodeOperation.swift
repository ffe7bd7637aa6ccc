public import FoundationEssentials
public import ImageCodecs
public import Operations
public import Pixels
import Transfers

/// Makes a picture of the bytes that a download brought; depends on that download.
public final class DecodeOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let download: CachedDownloadOperation
    private let longestSide: Int?
    private let decode: PictureDecoding
    private let memory: PhotoMemory
    private let reporter: PhotoReporter
    private let outcome = Lock<Result<PixelBuffer, PhotoError>?>(nil)
    private let shownScale = Lock(1.0)

    init(
        download: CachedDownloadOperation, longestSide: Int?, decode: @escaping PictureDecoding, memory: PhotoMemory,
        reporter: PhotoReporter
    ) {
        self.download = download
        self.longestSide = longestSide
        self.decode = decode
        self.memory = memory
        self.reporter = reporter
        super.init()
        name = "Decode"
    }

    /// How large the decoded picture is beside the published one, above 0 to 1: lengths in filters are of the latter.
    public var scale: Double { shownScale.withLock { $0 } }

    /// Takes the picture, or why there is none, out of the operation, so that its memory is the taker's alone.
    ///
    /// - Returns: nil before the operation has finished, when it was cancelled, and after the first taking.
    public func takeResult() -> Result<PixelBuffer, PhotoError>? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }

    public override func main() {
        guard let received = download.takeResult() else { return }
        let result: Result<PixelBuffer, PhotoError>
        do throws(PhotoError) {
            result = .success(try picture(from: received))
        } catch {
            result = .failure(error)
        }
        if isCancelled { return }
        switch result {
        case .success(let picture): reporter.report(.downloadFinished, picture: picture)
        case .failure(let error): reporter.report(.failed(error))
        }
        outcome.withLock { $0 = result }
    }

    private func picture(
        from received: Result<DownloadResponse, TransferError>
    ) throws(PhotoError) -> PixelBuffer {
        switch received {
        case .failure(let error): throw PhotoError(error)
        case .success(let response):
            do throws(ImageCodecError) {
                let picture = try decode(response.body, longestSide) { [unowned self] in isCancelled }
                memory.hold(picture.byteCount)
                if let published = try? ImageDecoder.probe(response.body).size, published.width > 0 {
                    shownScale.withLock { $0 = picture.size.longestSide / published.longestSide }
                }
                return picture
            } catch {
                memory.hold(0)
                throw PhotoError(error)
            }
        }
    }
}

extension PixelSize {
    fileprivate var longestSide: Double { Double(max(width, height)) }
}

/// Makes a picture of bytes, no larger than a longest side in pixels, and stops early where the last closure says so.
public typealias PictureDecoding =
    @Sendable (
        _ bytes: Data, _ longestSide: Int?, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> PixelBuffer
