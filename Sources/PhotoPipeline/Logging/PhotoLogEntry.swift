public import FoundationEssentials
public import Transfers

/// Something that a developer of a server wants to see, see ``PhotoPipeline/Configuration/log``.
///
/// ```swift
/// import PhotoPipeline
///
/// var configuration = PhotoPipeline.Configuration()
/// configuration.logLevel = .warning
/// configuration.log = { entry in print("\(entry.level): \(entry.message)") }
/// ```
public struct PhotoLogEntry: Sendable {
    /// How much it matters.
    public enum Level: Int, CaseIterable, Comparable, Sendable, CustomStringConvertible {
        /// What happens to each photo.
        case debug
        /// What may explain that a photo comes late.
        case info
        /// What is not as it should be, though there are pictures.
        case warning
        /// A photo that could not be made.
        case error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// The level's name.
        public var description: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// What happened.
    public enum Event: Sendable {
        /// A photo was asked for.
        case requested
        /// The picture was in memory.
        case cacheHit
        /// Its transfer, or a loader, has begun.
        case downloadStarted
        /// An attempt at a transfer has failed, and another one begins after a wait.
        case retrying(after: TransferError, in: Duration)
        /// A host (scheme, name and port) is left alone for a while, because of that error.
        case hostResting(String, for: Duration, after: TransferError)
        /// Finished pictures are not kept on disk for now, as ``ImageDiskCache/condition`` says; the text says why. It is told once,
        /// and again if the cache has worked in between.
        case imageDiskCacheFailed(String)
        /// The picture is shown as far as its data is sound; the text says what is wrong.
        case damaged(String)
        /// The picture is there.
        case finished(PhotoTimings)
        /// There is none.
        case failed(PhotoError)
        /// It was given up.
        case cancelled
        /// Whoever takes the entries was so slow that so many were left out.
        case leftOut(Int)
    }

    /// When it happened.
    public let date: Date
    /// What happened.
    public let event: Event
    /// The photo of a ``PhotoTask``; nil for other pictures, for hosts, and for transfers, which several photos may share.
    public let photo: Photo.ID?
    /// The label of the photo that it was done for first, if it has one.
    public let label: String?
    private let resource: ResourceAddress?

    init(_ event: Event, photo: Photo.ID? = nil, label: String? = nil, _ resource: ResourceAddress? = nil) {
        date = Date()
        self.event = event
        self.photo = photo
        self.label = label
        self.resource = resource
    }

    /// The address of the picture without user and password, and without its query where that looks like a signature; nil where it
    /// is about a host. It is made when it is asked for.
    public var address: String? { resource?.textWithoutSecrets }

    /// How much it matters.
    public var level: Level {
        switch event {
        case .requested, .cacheHit, .downloadStarted, .finished, .cancelled: .debug
        case .retrying: .info
        case .hostResting, .damaged, .imageDiskCacheFailed, .leftOut: .warning
        case .failed: .error
        }
    }

    /// All of it in a line, which is made when it is asked for. Errors of loaders, decoders and processors of your own are in it as
    /// they describe themselves.
    public var message: String {
        let subject = [photo.map { "photo \($0.index)" }, label, address].compactMap(\.self).joined(separator: " ")
        return subject.isEmpty ? text : "\(subject): \(text)"
    }

    private var text: String {
        switch event {
        case .requested: "asked for"
        case .cacheHit: "was in memory"
        case .downloadStarted: "is being fetched"
        case .retrying(let error, let delay): "is tried again in \(delay). \(error)"
        case .hostResting(let host, let rest, let error): "\(host) is left alone for \(rest). \(error)"
        case .imageDiskCacheFailed(let reason): "finished pictures are not kept on disk for now: \(reason)"
        case .damaged(let damage): "is damaged: \(damage)"
        case .finished(let timings): "done in \(timings.total)"
        case .failed(let error): "\(error)"
        case .cancelled: "given up"
        case .leftOut(let count): "\(count) entries were left out, as the log is too slow"
        }
    }
}
