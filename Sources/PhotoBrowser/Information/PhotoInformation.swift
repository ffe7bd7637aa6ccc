import FoundationEssentials
public import ImageCodecs
public import PhotoPipeline

/// What a photo's file says of itself, and what its transfer took.
public struct PhotoInformation: Sendable {
    /// How many bytes the file has.
    public let byteCount: Int
    /// Its kind, and its size in pixels; nil where its header cannot be read.
    public let image: ImageInfo?
    /// What a camera has noted, by exiftool's names; also where it was taken, and by whom.
    public let fields: [String: EXIFFields.Value]
    /// Where the file came from this time, and what that took.
    public let metrics: ImageMetrics

    /// Reads a file; nothing of it is decoded but its header.
    /// - Parameter limits: Say also in which process the header is read.
    init(_ file: Data, _ metrics: ImageMetrics, limits: DecodeLimits) {
        byteCount = file.count
        image = try? ImageDecoder.probe(file, limits: limits)
        fields = ImageMetadata(of: file).map { EXIFFields(in: $0, .all).values } ?? [:]
        self.metrics = metrics
    }
}
