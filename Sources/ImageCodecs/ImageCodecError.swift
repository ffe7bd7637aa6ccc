/// Why a picture could not be read or written.
public enum ImageCodecError: Error, Hashable, Sendable {
    /// There are no bytes.
    case empty
    /// The bytes are something else: a web page, text, a film, or nothing known.
    case notAnImage
    /// A picture that is cut off or broken; the text says how, without the format's name.
    case damaged(String)
    /// A picture of a kind that is not read; the text names the kind.
    case unsupportedFormat(String)
    /// More pixels than the limit, in the file or in what it would be enlarged to.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// Decoding would take more memory than the limit, in bytes; `needed` is the limit itself where a decoder met that, so that
    /// nobody knows how much more it wanted.
    case tooMuchMemory(needed: Int, limit: Int)
    /// More frames or pages than the limit.
    case tooManyFrames(limit: Int)
    /// Somebody else ended the process that decoded it, twice: the system does so where memory runs out. In programs that collect
    /// their children themselves (`SIGCHLD` ignored, or a loop of `waitpid`) it stands for every end that is not known, so that it
    /// says nothing about the picture.
    case decoderKilled
    /// Decoding took longer than the limit.
    case timeout
    /// The caller no longer wants the picture.
    case cancelled
    /// The picture could not be written; the text says why.
    case encodingFailed(String)
}

extension ImageCodecError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .empty: "The file is empty."
        case .notAnImage: "This is not a picture."
        case .damaged(let how): "The picture is damaged: \(how)."
        case .unsupportedFormat(let name): "Pictures of this kind are not supported: \(name)."
        case .tooManyPixels(let width, let height, let limit):
            "A picture of \(width) x \(height) pixels is too large; the limit is \(limit) pixels in all."
        case .tooMuchMemory(let needed, let limit) where needed <= limit:
            "Decoding the picture takes more memory than the limit of \(limit >> 20) MB."
        case .tooMuchMemory(let needed, let limit):
            "Decoding the picture would take \(needed >> 20) MB of memory; the limit is \(limit >> 20) MB."
        case .tooManyFrames(let limit): "The picture has more than \(limit) frames."
        case .decoderKilled:
            "The process that decoded the picture was killed, which happens where memory runs out; "
                + "fewer pictures at once need less."
        case .timeout: "Decoding the picture took too long."
        case .cancelled: "Decoding was cancelled."
        case .encodingFailed(let why): "The picture could not be written: \(why)."
        }
    }
}
