import Foundation

/// What the system and the library give as a reason why a file cannot be used, in the user's language.
@MainActor enum SystemReason {
    /// The reason, to be put behind a colon; what is not known here is quoted.
    ///
    /// - Parameter isAboutWriting: Whether a file could not be written: then it is its folder that is not there. Default: false.
    static func text(_ reason: String, isAboutWriting: Bool = false) -> String {
        let words = (reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
        // “Cannot write PATH: REASON.”
        let last = words.components(separatedBy: ": ").last ?? words
        if isAboutWriting, last.lowercased() == String(cString: strerror(ENOENT)).lowercased() {
            return tr("the folder is not there any more")
        }
        return known(words) ?? known(last) ?? tr("the message is “{reason}”").filled(["reason": words])
    }

    private static func known(_ reason: String) -> String? {
        let words = reason.lowercased()
        // The system speaks the user's language where it knows it, and English elsewhere.
        if let code = codes.first(where: { String(cString: strerror($0)).lowercased() == words }) {
            return text(of: code)
        }
        return switch words {
        case "it is a device, a pipe or a socket": tr("it is a device, a pipe or a socket")
        case "it is a link that leads nowhere": tr("it is a link that leads nowhere")
        case "that is a file of the run itself": tr("that is a file of the run itself")
        case "somebody has cut it short": tr("somebody has cut it short")
        case "the disk is full": tr("the disk is full")
        case "the disk quota is used up": tr("the disk quota is used up")
        default: nil
        }
    }

    /// Why a file could not be written.
    static func text(of error: any Error) -> String {
        let code: Int32? =
            switch (error as? CocoaError)?.code {
            case .fileWriteOutOfSpace: ENOSPC
            case .fileWriteVolumeReadOnly: EROFS
            case .fileWriteNoPermission: EACCES
            // A folder was to be made.
            case .fileWriteFileExists: ENOTDIR
            default: nil
            }
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError ?? error as? POSIXError
        if cause?.code == .ENOENT { return tr("the folder is not there any more") }
        let known = (cause?.code.rawValue).flatMap { text(of: $0) } ?? code.flatMap { text(of: $0) }
        return known ?? text((error as NSError).localizedDescription)
    }

    private static let codes = [
        EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ENAMETOOLONG, ENOSPC, EDQUOT, EIO, ENOENT, ELOOP, ESTALE, ENOTCONN,
    ]

    private static func text(of code: Int32) -> String? {
        switch code {
        case EACCES, EPERM: tr("the permission for it is missing")
        case EROFS: tr("nothing can be written on this disk")
        case ENOTDIR: tr("there is a file in the place of a folder")
        case EISDIR: tr("there is a folder in the place of a file")
        case ENAMETOOLONG: tr("the name is too long")
        case ENOSPC: tr("the disk is full")
        case EDQUOT: tr("the disk quota is used up")
        case EIO: tr("the disk cannot be read or written, and may be damaged")
        case ENOENT: tr("it is not there")
        case ELOOP: tr("links lead around in a circle")
        case ESTALE, ENOTCONN: tr("the connection to the disk is lost")
        default: nil
        }
    }
}
