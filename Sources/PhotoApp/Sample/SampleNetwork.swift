import Foundation
import PhotoBrowser
import PhotoPipeline
import SampleServer
import Transfers

/// The network that the sample comes over: a server of the program's own, which is as slow as one wishes. It begins with the first
/// request for the sample.
final class SampleNetwork {
    private var server: ThrottledServer?

    /// How slow it is.
    var speed = NetworkSpeed() { didSet { server?.speed = speed } }
    /// Pictures that it says it does not have, by their paths.
    var missing: Set<String> = [] { didSet { server?.missing = missing } }

    /// Whether it is the sample that somebody asks for.
    static func isSample(_ request: OpenRequest?) -> Bool {
        guard case .one(let source)? = request, let sample = DataFiles.sampleCatalog else { return false }
        return source.text == sample
    }

    /// What brings the sample over this network; nil for other requests, and where no server can be had: then the sample is
    /// read from its files.
    func request(for request: OpenRequest) -> OpenRequest? {
        guard Self.isSample(request), let sample = DataFiles.sampleCatalog else { return nil }
        let name = URL(filePath: sample).lastPathComponent
        return serve().map { .one(.address($0.address.appending(path: name))) }
    }

    /// The server of the sample's folder, which begins to serve; nil where the sample is not installed, or no server can be had.
    func serve() -> ThrottledServer? {
        guard let sample = DataFiles.sampleCatalog else { return nil }
        let folder = URL(filePath: sample).deletingLastPathComponent()
        server = server ?? (try? ThrottledServer(folder: folder.path, speed: speed))
        server?.missing = missing
        return server
    }

    /// How its catalog is transferred: no proxy knows this computer's own server.
    nonisolated static var client: TransferClient.Configuration {
        TransferClient.Configuration(usesEnvironmentProxy: false)
    }
}
