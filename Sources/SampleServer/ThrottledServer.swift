public import Foundation
import OperationsCore

/// A small HTTP server for the files of a folder, on this machine's loopback address, that is as slow as one wishes.
///
/// It answers GET and HEAD, for catalogs (`.csv`) and JPEG files (`.jpg`) in the folder, with ranges and entity tags, so that a transfer
/// that was cut off can be resumed; nobody is to keep what it sends. It has a thread of its own, and is as fast or as slow as ever while
/// the main thread is blocked.
public final class ThrottledServer: Sendable {
    /// Why no server could be had.
    public struct ListeningError: Error, CustomStringConvertible {
        /// What the system said.
        public let detail: String

        /// A sentence with the reason.
        public var description: String { "No server for the sample could be started: \(detail)." }
    }

    /// The folder's address, which ends with a slash.
    public let address: URL
    private let loop: ServerLoop
    private let currentSpeed: Lock<NetworkSpeed>
    private let currentlyMissing: Lock<Set<String>>

    /// Begins to serve a folder, on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - speed: How slow the network is at first. Default: 200 ms, and 200,000 bytes a second.
    /// - Throws: ``ListeningError`` where there is no such folder, or no port for it.
    public init(folder: String, speed: NetworkSpeed = NetworkSpeed()) throws(ListeningError) {
        guard let folder = ServedFolder(folder) else { throw ListeningError(detail: "there is no folder \(folder)") }
        let currentSpeed = Lock(speed)
        self.currentSpeed = currentSpeed
        let currentlyMissing = Lock(Set<String>())
        self.currentlyMissing = currentlyMissing
        loop = try ServerLoop { message, path in
            let isMissing = currentlyMissing.withLock { $0.contains(path) }
            Answer(to: message, path, from: isMissing ? nil : folder).begin { currentSpeed.withLock { $0 } }
        }
        guard let address = URL(string: "http://127.0.0.1:\(loop.port)/") else {
            throw ListeningError(detail: "the port \(loop.port) has no address")
        }
        self.address = address
        loop.start()
    }

    deinit { loop.stop() }

    /// How slow the network is. A change holds at once, for answers that are under way, too.
    public var speed: NetworkSpeed {
        get { currentSpeed.withLock { $0 } }
        set { currentSpeed.withLock { $0 = newValue } }
    }

    /// Files that it says it does not have, by their paths, which begin with a slash; none by default. A change holds for the
    /// requests that come after it.
    public var missing: Set<String> {
        get { currentlyMissing.withLock { $0 } }
        set { currentlyMissing.withLock { $0 = newValue } }
    }
}
