public import Catalogs
public import ImageCodecs
public import Transfers

extension PhotoError {
    /// Why a photo was not fetched.
    ///
    /// - Parameters:
    ///   - cause: What the transfer failed with.
    ///   - attempts: How often it was tried; told in the detail if more than once. Default: 1.
    public init(_ cause: TransferError, attempts: Int = 1) {
        let once = Self.init(once: cause)
        self = attempts > 1 ? Self(once.reason, "\(once.detail) It was tried \(attempts) times.") : once
    }

    private init(once cause: TransferError) {
        switch cause {
        case .http(let status), .retryLater(let status, _): self.init(.http, "\(status): \(cause)")
        case .invalidAddress: self.init(.invalidAddress, "\(cause)")
        case .forbiddenAddress: self.init(.forbiddenAddress, "\(cause)")
        case .unreachable, .untrusted, .cancelled: self.init(.unreachable, "\(cause)")
        case .timeout: self.init(.timeout, "\(cause)")
        case .hostResting: self.init(.hostResting, "\(cause)")
        case .disallowed(by: .tag): self.init(.optedOut, "\(cause)")
        case .disallowed: self.init(.robots, "\(cause)")
        case .tooManyRedirects: self.init(.redirects, "\(cause)")
        case .truncated: self.init(.truncated, "\(cause)")
        case .tooLarge: self.init(.tooLarge, "\(cause)")
        case .protocolViolation: self.init(.protocol, "\(cause)")
        case .writeFailed: self.init(.writeFailed, "\(cause)")
        case .notFound: self.init(.notFound, "\(cause)")
        }
    }

    /// Whether there was a server whose certificate is not trusted. The reason is `unreachable` then: reports have no word of their own for
    /// it, and the detail tells it apart.
    public var isUntrusted: Bool { reason == .unreachable && detail.hasPrefix(Self.untrustedBeginning) }

    /// What ``TransferError/untrusted(_:)`` begins with, whatever the reason.
    private static let untrustedBeginning = "\(TransferError.untrusted(""))".prefix { $0 != ":" }

    /// Why a picture could not be made of what was fetched, or not be written.
    public init(_ cause: ImageCodecError) {
        let reason: Reason =
            switch cause {
            case .empty: .empty
            case .notAnImage: .notAnImage
            case .damaged, .cancelled: .damagedImage
            case .unsupportedFormat: .unsupportedFormat
            case .tooManyPixels: .tooManyPixels
            case .tooMuchMemory, .decoderKilled: .memoryLimit
            case .tooManyFrames: .tooManyFrames
            case .timeout: .decodeTimeout
            case .encodingFailed: .writeFailed
            }
        self.init(reason, "\(cause)")
    }

    /// The name of a file in a folder is not UTF-8; see ``/Catalogs/CatalogEntryError/fileNameNotUTF8``.
    public static let fileNameNotUTF8 = PhotoError(CatalogEntryError.fileNameNotUTF8)

    /// Why an entry of a catalog names no photo.
    public init(_ cause: CatalogEntryError) {
        let reason: Reason =
            switch cause {
            case .invalidEntry, .fileNameNotUTF8: .invalidEntry
            case .invalidAddress: .invalidAddress
            case .forbiddenAddress: .forbiddenAddress
            }
        let text = "\(cause)"
        self.init(reason, text.prefix(1).uppercased() + text.dropFirst() + ".")
    }
}
