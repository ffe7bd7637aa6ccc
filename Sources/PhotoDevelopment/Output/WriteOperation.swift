import FoundationEssentials
import ImageCodecs
import Operations
import PhotoPipeline

/// Encodes a filtered picture, or takes the photo as it came, and hands it to the output, where it has no name yet; depends on the filtering.
final class WriteOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let takeImage: @Sendable () -> Taken?
    private let encoder: ImageEncoder?
    private let keepsMetadata: Bool
    private let exif: EXIFFields.Selection?
    private let store: any ResultStore
    private let stem: String
    private let meter: StageMeter?
    private let variant: String?
    private let whenFailed: @Sendable () -> Void
    private let outcome = Lock<Outcome?>(nil)

    /// The filtered picture, or why there is none, and where it came from.
    struct Taken {
        let image: Result<ScaledImage, PhotoError>
        /// The address that answered, as it may be written down; nil where it is not known.
        let address: String?
    }

    enum Outcome {
        /// The result is whole, and waits for its batch; with what is wrong with the photo's data, if it was kept all the same.
        case written(StagedPicture, file: String, damage: String?)
        /// There is no picture, or it cannot be written in this format; others may be.
        case failed(PhotoError)
        /// The result could not be written, so that others could not be either.
        case outputFailed(PhotoError)
    }

    /// - Parameters:
    ///   - encoder: The format of the result; nil for the photo as it came.
    ///   - keepsMetadata: Whether the photo's metadata is written with it.
    ///   - exif: Which fields of EXIF are told of it; nil for none.
    ///   - store: Where it goes.
    ///   - stem: What the row's results are called there, without what says which one it is.
    ///   - variant: The name of the result's variant; nil where there are none.
    ///   - meter: Adds up what it takes; nil where nobody asks.
    ///   - whenFailed: Called when there is no result.
    ///   - takeImage: Takes the filtered picture; nil if it was cancelled.
    init(
        encoder: ImageEncoder?, keepsMetadata: Bool = false, exif: EXIFFields.Selection? = nil, store: any ResultStore,
        stem: String, variant: String?, meter: StageMeter? = nil, whenFailed: @escaping @Sendable () -> Void,
        takeImage: @escaping @Sendable () -> Taken?
    ) {
        self.meter = meter
        (self.keepsMetadata, self.exif) = (keepsMetadata, exif)
        self.takeImage = takeImage
        self.encoder = encoder
        self.store = store
        self.stem = stem
        self.variant = variant
        self.whenFailed = whenFailed
        super.init()
        name = "Write"
    }

    /// Takes what has come of it, once; nil when the operation was cancelled before that was known. A result that whoever took it lets go is
    /// removed.
    func takeResult() -> Outcome? { outcome.withLock { $0.take() } }

    override func main() {
        guard let taken = takeImage() else { return }
        let began = ContinuousClock.now
        let result: FinishedResult
        let damage: String?
        do throws(PhotoError) {
            let image = try taken.image.get()
            damage = image.damage
            result = try finished(image, from: taken.address)
        } catch {
            return fail(.failed(error))
        }
        if isCancelled { return }
        let file = store.file(stem, variant, ending: result.ending)
        do throws(FileError) {
            let staged = try store.stage(result)
            meter?.add(written: result.bytes.count, in: ContinuousClock.now - began)
            outcome.withLock { $0 = .written(staged, file: file, damage: damage) }
        } catch {
            fail(.outputFailed(store.folder.writeFailed(error, file)))
        }
    }

    private func fail(_ failure: Outcome) {
        outcome.withLock { $0 = failure }
        whenFailed()
    }

    private func finished(_ image: ScaledImage, from address: String?) throws(PhotoError) -> FinishedResult {
        let size = image.publishedSize ?? image.pixels.size
        let told = exif.map { EXIFText.json(of: image.metadata, $0) }
        guard let encoder else {
            guard let body = image.body, let format = ImageFormat(sniffing: body) else {
                throw PhotoError(.unsupportedFormat, "It is of a kind that has no ending of its own.")
            }
            return FinishedResult(
                variant: variant, bytes: body, ending: format.fileExtension, address: address,
                publishedSize: size, size: size, exif: told)
        }
        do throws(ImageCodecError) {
            return FinishedResult(
                variant: variant,
                bytes: try encoder.encode(image.pixels, metadata: keepsMetadata ? image.metadata : nil),
                ending: encoder.format.fileExtension, address: address,
                publishedSize: size, size: image.pixels.size, exif: told)
        } catch {
            throw PhotoError(error)
        }
    }
}
