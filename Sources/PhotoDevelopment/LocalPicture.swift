import FoundationEssentials
public import ImageCodecs
import Operations
public import PhotoPipeline

/// Filters one local picture into a file.
public enum LocalPicture {
    /// Reads a picture, filters it, and writes the result, whole or not at all.
    ///
    /// - Parameters:
    ///   - input: The picture's path.
    ///   - output: The path of the result; a file there is replaced, the picture itself too.
    ///   - filter: What is done to it.
    ///   - longestSide: The result's longest side in pixels, at least 1; nil keeps the size.
    ///   - encoder: The format of the result.
    /// - Throws: `not-found`, what is wrong with the picture, or `write-failed`.
    public static func develop(
        _ input: String, to output: String, filter: FilterChain, longestSide: Int?, encoder: ImageEncoder
    ) async throws(PhotoError) {
        let picture = try await filtered(input, filter: filter, longestSide: longestSide)
        do {
            let bytes = try encoder.encode(picture)
            let file = try TemporaryFile(beside: output)
            try file.write(bytes)
            try file.commit(to: output)
        } catch let error as FileError {
            throw PhotoError(.writeFailed, "Cannot write \(output): \(error.reason).")
        } catch {
            throw PhotoError(.writeFailed, "Cannot write \(output): \(error)")
        }
    }

    private static func filtered(
        _ input: String, filter: FilterChain, longestSide: Int?
    ) async throws(PhotoError) -> PixelBuffer {
        let pipeline = PhotoPipeline()
        let request = ImageRequest(
            address: URL(filePath: input), longestSide: longestSide, filter: filter, allowsLocalFiles: true)
        let failure = Lock<PhotoError?>(nil)
        let task = pipeline.task(for: request, of: Photo.ID(0)) { update in
            if case .failed(let error) = update.state { failure.withLock { $0 = error } }
        }
        await withCheckedContinuation { continuation in
            task.start { continuation.resume() }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        switch task.takeResult() {
        case .success(let picture): return picture
        case .failure(let error): throw error
        case nil: throw PhotoError(.damagedImage, "The picture could not be filtered.")
        }
    }
}
