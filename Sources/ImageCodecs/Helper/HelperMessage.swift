internal import CDecodeHelper

/// What a helper can be asked to do.
enum HelperTask: UInt32 {
    /// Read the header.
    case info
    /// Decode a picture.
    case decode
    /// Decode a frame of an animation: of one whose file comes with it, or, if none does, of the one before.
    case frame
    /// Give up the request before, whose answer is no longer wanted. It has no answer of its own.
    case cancel
}

/// What a reply is.
enum HelperStatus: UInt32 {
    /// The first message of a new helper; its first value says what of its confinement is missing.
    case ready
    case info
    /// Pixels follow.
    case image
    /// The animation before was another one.
    case unknownAnimation
    case empty, notAnImage, damaged, unsupportedFormat, tooManyPixels, tooMuchMemory, tooManyFrames, timeout
    case cancelled
}

extension ImageCodecError {
    /// The parts in which an error goes through the socket.
    var parts: (status: HelperStatus, values: (Int64, Int64, Int64), text: String) {
        switch self {
        case .empty: (.empty, (0, 0, 0), "")
        case .notAnImage: (.notAnImage, (0, 0, 0), "")
        case .damaged(let how): (.damaged, (0, 0, 0), how)
        case .unsupportedFormat(let name): (.unsupportedFormat, (0, 0, 0), name)
        case .tooManyPixels(let width, let height, let limit):
            (.tooManyPixels, (Int64(width), Int64(height), Int64(limit)), "")
        case .tooMuchMemory(let needed, let limit): (.tooMuchMemory, (Int64(needed), Int64(limit), 0), "")
        case .tooManyFrames(let limit): (.tooManyFrames, (Int64(limit), 0, 0), "")
        case .timeout: (.timeout, (0, 0, 0), "")
        // Nobody says so of itself.
        case .decoderKilled: (.damaged, (0, 0, 0), "its decoder failed")
        case .cancelled: (.cancelled, (0, 0, 0), "")
        // Helpers write no pictures.
        case .encodingFailed(let why): (.damaged, (0, 0, 0), why)
        }
    }

    /// The error that a reply stands for, nil for one that is none.
    init?(_ status: HelperStatus, _ values: (Int64, Int64, Int64), _ text: String) {
        switch status {
        case .ready, .info, .image, .unknownAnimation: return nil
        case .empty: self = .empty
        case .notAnImage: self = .notAnImage
        case .damaged: self = .damaged(text)
        case .unsupportedFormat: self = .unsupportedFormat(text)
        case .tooManyPixels:
            self = .tooManyPixels(width: Int(values.0), height: Int(values.1), limit: Int(values.2))
        case .tooMuchMemory: self = .tooMuchMemory(needed: Int(values.0), limit: Int(values.1))
        case .tooManyFrames: self = .tooManyFrames(limit: Int(values.0))
        case .timeout: self = .timeout
        case .cancelled: self = .cancelled
        }
    }
}
