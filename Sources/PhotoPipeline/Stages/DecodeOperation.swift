public import FoundationEssentials
public import ImageCodecs
import Operations
import Pixels
import Transfers

/// Makes a picture of the bytes that a download brought; depends on that download.
final class DecodeOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let longestSide: Int?
    private let decode: PictureDecoding
    private let memory: PhotoMemory
    private let part: PhotoMemory.Part
    private let takeBody: @Sendable () -> Result<DownloadResponse, TransferError>?
    private let countAttempts: @Sendable () -> Int
    private let releaseBody: @Sendable () -> Void
    private let report: @Sendable (Photo.Event, ScaledPicture?) -> Void
    private let outcome = Lock<Result<ScaledPicture, PhotoError>?>(nil)

    /// - Parameters:
    ///   - takeBody: What was downloaded; nil if that was cancelled.
    ///   - countAttempts: How often it was tried to download it in vain.
    ///   - releaseBody: Called when the body is needed no longer.
    ///   - report: Called when the decoding begins, and with the picture or with why there is none.
    init(
        longestSide: Int?, decode: @escaping PictureDecoding, memory: PhotoMemory, part: PhotoMemory.Part,
        takeBody: @escaping @Sendable () -> Result<DownloadResponse, TransferError>?,
        countAttempts: @escaping @Sendable () -> Int, releaseBody: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (Photo.Event, ScaledPicture?) -> Void
    ) {
        self.longestSide = longestSide
        self.decode = decode
        self.memory = memory
        self.part = part
        self.takeBody = takeBody
        self.countAttempts = countAttempts
        self.releaseBody = releaseBody
        self.report = report
        super.init()
        name = "Decode"
    }

    /// The picture, or why there is none; nil before the operation has finished and when it was cancelled.
    ///
    /// - Parameter isTaking: Whether it is taken out of the operation, so that its memory is the taker's alone.
    func result(taking isTaking: Bool) -> Result<ScaledPicture, PhotoError>? {
        outcome.withLock { outcome in
            defer { if isTaking { outcome = nil } }
            return outcome
        }
    }

    override func main() {
        guard let received = takeBody() else { return }
        let result: Result<ScaledPicture, PhotoError>
        do throws(PhotoError) {
            result = .success(try picture(from: received))
        } catch {
            result = .failure(error)
        }
        releaseBody()
        if isCancelled { return }
        outcome.withLock { $0 = result }
        switch result {
        case .success(let entry): report(.downloadFinished, entry)
        case .failure(let error):
            fail(error)
            report(.failed(error), nil)
        }
    }

    private func picture(
        from received: Result<DownloadResponse, TransferError>
    ) throws(PhotoError) -> ScaledPicture {
        let response: DownloadResponse
        switch received {
        case .failure(let error): throw PhotoError(error, attempts: countAttempts())
        case .success(let received): response = received
        }
        report(.decodingStarted, nil)
        do throws(ImageCodecError) {
            let image = try decode(response.body, longestSide) { [unowned self] in isCancelled }
            memory.hold(image.picture.byteCount, for: part)
            let published = max(1, image.info.size.longestSide)
            return ScaledPicture(picture: image.picture, scale: min(1, image.picture.size.longestSide / published))
        } catch {
            memory.hold(0, for: part)
            throw PhotoError(error)
        }
    }
}

extension PixelSize {
    fileprivate var longestSide: Double { Double(max(width, height)) }
}

/// Makes a picture of bytes, no larger than a longest side in pixels, and stops early where the last closure says so. What it
/// says about the file counts for the lengths of filters, which shrink with the picture.
///
/// It is called on threads of the engine, several at a time. The photo fails with the error that it throws.
public typealias PictureDecoding =
    @Sendable (
        _ bytes: Data, _ longestSide: Int?, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> DecodedImage
