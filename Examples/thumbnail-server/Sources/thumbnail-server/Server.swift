import CMicroHTTPD
import Foundation
import Glibc
import PhotoPipeline
import Pixels
import Synchronization
import Transfers

/// Answers `GET` and `HEAD` of `/thumb?url=…&size=…&filter=…` with a JPEG.
///
/// What many ask for at the same time is fetched, decoded and filtered once, and later anew, unless the caches know that it is
/// the same. So clients may keep a thumbnail, and have to ask whether it is still the same (`no-cache`), for which it has an `ETag`. A
/// client that hangs up takes its picture along, and so does one that has waited for as long as an answer may take: if nobody else
/// wants it, the transfer ends at once.
final class Server: Sendable {
    private let pipeline: PhotoPipeline
    private let responses: DiskCache?
    private let thumbnails: ImageDiskCache?
    private let allowsPrivate: Bool
    private let timeLimit: Duration

    /// - Parameters:
    ///   - cache: A folder for what was fetched, by HTTP's rules, and for the finished pictures; nil for neither.
    ///   - timeLimit: How long an answer may take.
    init(allowsPrivate: Bool, cache: String?, timeLimit: Duration) {
        var configuration = PhotoPipeline.Configuration()
        configuration.transferLimits.maxBytes = 32_000_000
        // What comes in the end needs time to be decoded. Another attempt is the client's.
        configuration.transferLimits.totalTimeout = timeLimit * 3 / 4
        configuration.transferRetries = 0
        // A picture in memory would be served as it was when the server came across it, for days. On disk it is by HTTP's rules.
        configuration.cacheLimit = 0
        responses = cache.map { DiskCache(folder: $0) }
        thumbnails = cache.map { ImageDiskCache(folder: $0) }
        (configuration.diskCache, configuration.imageDiskCache) = (responses, thumbnails)
        configuration.logLevel = .warning
        configuration.log = { entry in
            if case .imageDiskCacheFailed = entry.event {
                FileHandle.standardError.write(Data("thumbnail-server: \(entry.message)\n".utf8))
            }
        }
        pipeline = PhotoPipeline(configuration: configuration)
        self.allowsPrivate = allowsPrivate
        self.timeLimit = timeLimit
    }

    /// Starts to listen on a loopback port.
    /// - Returns: The port; nil if it is not to be had.
    func start(port: UInt16, connections: UInt32) -> UInt16? {
        // It serves for as long as the program runs.
        let context = Unmanaged.passRetained(self).toOpaque()
        let daemon = chttp_start(
            port, connections,
            { context, connection, path, method, _, _, _, _ in
                guard let context, let path, let method else { return .NO }
                return Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
                    .answer(String(cString: method), String(cString: path), connection)
            }, context)
        return daemon.map { chttp_port($0) }
    }

    /// Waits until what was made is on disk, where there is a cache.
    func flush() async {
        await responses?.flush()
        await thumbnails?.flush()
    }

    /// Answers one request, on the thread of its connection.
    private func answer(_ method: String, _ path: String, _ connection: OpaquePointer?) -> MHD_Result {
        guard path == "/thumb" else { return Answer.failure(404, "There is only /thumb.").send(over: connection) }
        // The body that belongs to HEAD is left out by the library.
        guard method == "GET" || method == "HEAD" else {
            return Answer.failure(405, "There are only GET and HEAD.", [("Allow", "GET, HEAD")]).send(over: connection)
        }
        do {
            let thumbnail = try Thumbnail(allowsPrivate: allowsPrivate) { name in
                chttp_argument(connection, name).map { String(cString: $0) }
            }
            guard let result = wait(for: thumbnail, whileConnected: chttp_socket(connection)) else { return .NO }
            let condition = chttp_header(connection, "If-None-Match").map { String(cString: $0) }
            return try Answer.image(result.get(), isPrivate: thumbnail.isPrivate, ifNoneMatch: condition)
                .send(over: connection)
        } catch let error as BadQuery {
            return Answer.failure(400, error.reason).send(over: connection)
        } catch let error as PhotoError {
            return Answer.failure(error).send(over: connection)
        } catch {
            return Answer.failure(500, "\(error)").send(over: connection)
        }
    }

    /// - Returns: nil if the client has hung up. Then the picture is given up, as it is when the time is over.
    private func wait(for thumbnail: Thumbnail, whileConnected socket: Int32) -> Result<PixelBuffer, PhotoError>? {
        let outcome = Outcome()
        let task = pipeline.imageTask(for: thumbnail.request) { result in outcome.set(result) }
        var watched = [
            pollfd(fd: outcome.event, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(CHTTP_HANG_UP), revents: 0),
        ]
        let end = ContinuousClock.now + timeLimit
        while outcome.result == nil {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else {
                task.cancel()
                return .failure(PhotoError(.timeout, "There was no picture within \(timeLimit)."))
            }
            let count = poll(&watched, 2, Int32(left.rounded(.up)))
            if count < 0, errno != EINTR { break }
            if watched[1].revents != 0 { break }
        }
        if let result = outcome.result { return result }
        task.cancel()
        return nil
    }
}

/// What came of a picture, and a descriptor that can be read once it is there.
private final class Outcome: Sendable {
    let event = chttp_event()
    private let value = Mutex<Result<PixelBuffer, PhotoError>?>(nil)

    var result: Result<PixelBuffer, PhotoError>? { value.withLock { $0 } }

    func set(_ result: Result<PixelBuffer, PhotoError>) {
        value.withLock { $0 = result }
        chttp_signal(event)
    }

    deinit { close(event) }
}
