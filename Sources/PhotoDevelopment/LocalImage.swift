public import FoundationEssentials
import Glibc
public import ImageCodecs
import Operations
public import PhotoPipeline
import Transfers

/// Filters one local picture.
public enum LocalImage {
    /// Where a picture comes from.
    public enum Source: Hashable, Sendable {
        /// A file's path.
        case file(String)
        /// An open descriptor, which is read to its end and stays open; 0 is standard input.
        case descriptor(Int32)
    }

    /// Reads a picture, filters it, and encodes the result.
    ///
    /// - Parameters:
    ///   - source: Where the picture is.
    ///   - filter: What is done to it.
    ///   - intensity: How much of the filter shows, see ``DevelopmentOptions/intensity``. Default: 1.
    ///   - resize: How large the result becomes; nil keeps the size.
    ///   - encoder: The format of the result.
    ///   - keepsMetadata: Whether EXIF and XMP of the picture are written with the result. Default: they are left out.
    ///   - limits: What decoding may cost, and where it is done. Default: those of `DecodeLimits`.
    ///   - whenDamaged: Told what is wrong with a JPEG whose data is broken, or ends too early, and of which the result is made as
    ///     far as it goes; nil, the default, has such a picture fail.
    /// - Returns: The result's bytes.
    /// - Throws: `not-found`, what is wrong with the picture, or `write-failed` where the format cannot hold the result.
    public static func developed(
        _ source: Source, filter: FilterChain, intensity: Double = 1, resize: Resize?, encoder: ImageEncoder,
        keepsMetadata: Bool = false, limits: DecodeLimits = DecodeLimits(), whenDamaged: ((String) -> Void)? = nil
    ) async throws(PhotoError) -> Data {
        var configuration = PhotoPipeline.Configuration()
        configuration.decodeLimits = limits
        configuration.toleratesDamage = whenDamaged != nil
        configuration.keepsMetadata = keepsMetadata
        let pipeline = PhotoPipeline(configuration: configuration)
        let copy = try copy(of: source)
        defer { withExtendedLifetime(copy) {} }
        let path =
            switch source {
            case .file(let path): path
            case .descriptor: copy?.path ?? ""
            }
        let request = ImageRequest(
            address: URL(localPath: path), resize: resize, processing: ProcessingChain(filter, intensity: intensity),
            allowsLocalFiles: true)
        let image = try await filtered(request, by: pipeline)
        if let damage = image.damage { whenDamaged?(damage) }
        do throws(ImageCodecError) {
            return try encoder.encode(image.pixels, metadata: image.metadata)
        } catch {
            throw PhotoError(.writeFailed, "\(error)")
        }
    }

    /// Writes a result to a file, whole or not at all; a file that is there is replaced. A pipe, a character device and what is open
    /// for this program, as `/dev/stdout` is, take the bytes as they come.
    ///
    /// - Throws: `write-failed`.
    public static func write(_ bytes: Data, to path: String) throws(PhotoError) {
        do throws(FileError) {
            let file = try OutputFile(path)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw PhotoError(.writeFailed, "\(error.reason).")
        }
    }

    /// Whether a file begins as a picture of a kind that is read.
    public static func isImage(_ path: String) -> Bool {
        FileBeginning.bytes(of: path, count: 4_096).flatMap(ImageFormat.init(sniffing:)) != nil
    }

    /// What stands behind a descriptor; nil for a file, which is read where it is.
    private static func copy(of source: Source) throws(PhotoError) -> MemoryCopy? {
        guard case .descriptor(let descriptor) = source else { return nil }
        let limit = PhotoPipeline.Configuration().transferLimits.maxBytes
        do throws(FileError) {
            return try MemoryCopy(of: descriptor, limit: limit)
        } catch {
            if error.code == EFBIG { throw PhotoError(TransferError.tooLarge(limit: limit)) }
            throw PhotoError(.unreachable, "It cannot be read: \(error.reason).")
        }
    }

    private static func filtered(
        _ request: ImageRequest, by pipeline: PhotoPipeline
    ) async throws(PhotoError) -> ScaledImage {
        let failure = Lock<PhotoError?>(nil)
        let task = pipeline.task(for: request, of: Photo.ID(0)) { update in
            if case .failed(let error) = update.state { failure.withLock { $0 = error } }
        }
        await withCheckedContinuation { continuation in
            task.start { continuation.resume() }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        switch task.takeScaledResult() {
        case .success(let image): return image
        case .failure(let error): throw error
        case nil: throw PhotoError(.damagedImage, "The picture could not be filtered.")
        }
    }
}
