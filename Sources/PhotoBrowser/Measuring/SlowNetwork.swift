public import Foundation
public import PhotoPipeline

/// Brings local files as slowly as a network does, so that one sees without a server what waiting for one is like.
///
/// ```swift
/// import PhotoBrowser
/// import PhotoPipeline
///
/// var configuration = PhotoPipeline.Configuration()
/// configuration.loaders[SlowNetwork.scheme] = SlowNetwork()
/// let catalog = try await Catalog.load(from: Catalog.Source(argument: "photos.csv"))
/// let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(configuration: configuration))
/// list.fileScheme = SlowNetwork.scheme
/// ```
public struct SlowNetwork: ImageLoading {
    /// The scheme that ``PhotoList/fileScheme`` takes for it.
    public static let scheme = "slow"

    /// How long a file is waited for before its first byte comes.
    public let latency: Duration
    /// How many bytes of a file come in a second.
    public let bytesPerSecond: Int

    /// Makes a network that is so slow.
    ///
    /// - Parameters:
    ///   - latency: How long a file is waited for before its first byte comes. Default: 150 ms.
    ///   - bytesPerSecond: How many bytes of a file come in a second, at least 1. Default: 8 million.
    public init(latency: Duration = .milliseconds(150), bytesPerSecond: Int = 8_000_000) {
        self.latency = latency
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// Brings the bytes of a file when the network would have.
    public func load(_ address: URL, limit: Int) async throws -> Data {
        try await Task.sleep(for: latency)
        guard let file = FileHandle(forReadingAtPath: address.path(percentEncoded: false)) else {
            throw PhotoError(.notFound, "There is no file \(address.path(percentEncoded: false)).")
        }
        defer { try? file.close() }
        // One byte more than there may be tells that there are too many.
        let bytes = try file.read(upToCount: limit < .max ? limit + 1 : limit) ?? Data()
        try await Task.sleep(for: .seconds(Double(bytes.count) / Double(bytesPerSecond)))
        return bytes
    }

    /// A file's address with the scheme of a loader.
    static func address(of file: URL, scheme: String) -> URL {
        var parts = URLComponents()
        parts.scheme = scheme
        parts.path = file.path(percentEncoded: false)
        return parts.url ?? file
    }
}
