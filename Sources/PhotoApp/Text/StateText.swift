import PhotoBrowser
import PhotoPipeline

extension PhotoList.Row {
    /// Whether it has failed or is damaged, and another attempt may end otherwise.
    var canRetry: Bool {
        if case .failed(let error) = state { !error.isLasting } else { isDamaged }
    }

    /// Whether all that there will be of it is a damaged picture.
    private var isDamaged: Bool { damage != nil && state == .filtered }

    /// What is said about the photo: how far it is, or that what is shown is not all of it.
    ///
    /// - Parameter isPaused: Whether the user has paused, so that what is new waits for that.
    func text(isPaused: Bool) -> String {
        if isDamaged { return tr("The picture is damaged") }
        // Where all of them are, somebody has paused, and that is said.
        guard !isPaused, let suspendedStage else { return state.text(isPaused: isPaused) }
        return switch suspendedStage {
        case .download: tr("Waiting, downloads are suspended")
        case .decoding: tr("Downloaded, decoding is suspended")
        case .filtration: tr("Decoded, filtering is suspended")
        }
    }
}

extension PhotoList.Row {
    /// What is seen of ``text(isPaused:)``, with how far a transfer is. Screen readers are not told the name of a row anew with each
    /// percent.
    func seenText(isPaused: Bool) -> String {
        guard let progress else { return text(isPaused: isPaused) }
        return tr("Downloading… {percentage} %").filled(["percentage": Int(progress * 100).grouped])
    }
}

extension Photo.State {
    /// What a row says about it.
    ///
    /// - Parameter isPaused: Whether the user has paused, so that what is new waits for that.
    func text(isPaused: Bool) -> String {
        switch self {
        case .new, .waiting: isPaused ? tr("Paused") : tr("Waiting")
        case .downloading: tr("Downloading…")
        case .decoding: tr("Decoding…")
        case .downloaded: tr("Downloaded")
        case .filtering: tr("Filtering…")
        case .filtered: tr("Done")
        case .failed(let error): error.sentence
        }
    }
}

extension PhotoError {
    /// What went wrong, in a few words and the user's language; the detail has more, in English.
    @MainActor var sentence: String {
        switch reason {
        case .invalidAddress: tr("The address is not valid")
        // The app neither asks for robots.txt nor looks at such words.
        case .forbiddenAddress, .robots, .optedOut: tr("The address is not allowed here")
        case .unreachable:
            isUntrusted ? tr("The server’s certificate is not trusted") : tr("The server cannot be reached")
        case .timeout: tr("The server took too long to answer")
        case .hostResting: tr("The server failed too often and is left alone for a while")
        case .redirects: tr("The server sends from one address to the next without end")
        case .http: httpSentence
        case .truncated: tr("The picture did not arrive whole")
        case .tooLarge: tr("The file is too large")
        case .tooManyPixels: tr("The picture has too many pixels")
        case .empty: tr("The server sent nothing")
        case .notAnImage: tr("What arrived is not a picture")
        case .damagedImage: tr("The picture is damaged")
        case .unsupportedFormat: tr("This kind of picture cannot be read")
        case .tooManyFrames: tr("The animation is too long")
        case .memoryLimit: tr("There is not enough memory for the picture")
        case .decodeTimeout: tr("Reading the picture took too long")
        case .protocol: tr("The server does not speak HTTP")
        // The library's word for what is there, and may not be read, too; its detail tells them apart.
        case .notFound:
            detail.hasPrefix("There is no file ") || detail.isEmpty
                ? tr("The file is not there") : tr("The file cannot be read")
        case .loaderFailed: tr("The picture could not be loaded")
        // The app takes pictures of any size.
        case .tooSmall, .aspect, .processorFailed: tr("The picture could not be processed")
        case .writeFailed: tr("The file cannot be written")
        case .invalidEntry where self == .fileNameNotUTF8: tr("The file’s name is not UTF-8; rename it")
        case .invalidEntry: tr("The catalog’s entry is broken")
        case .cancelled: tr("Cancelled")
        }
    }

    @MainActor private var httpSentence: String {
        // The detail begins with the status.
        let status = String(detail.prefix { $0.isNumber })
        switch status {
        case "404", "410": return tr("There is no such picture on the server ({status})").filled(["status": status])
        case "401", "403": return tr("The server does not allow it ({status})").filled(["status": status])
        default: return tr("The server answered with an error ({status})").filled(["status": status])
        }
    }
}
