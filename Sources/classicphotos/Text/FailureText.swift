import PhotoPipeline
import Transfers
import Wording

extension PhotoError {
    /// What went wrong, for people: the detail, in their language where that knows its sentence. Otherwise the kind of failure in
    /// their language stands before it, if that is not English.
    var told: String {
        let whole = Message(text: detail, templates: Self.sentences)
        guard whole.translated == whole.english else { return whole.translated }
        let sentence = message.translated
        if sentence == message.english { return detail }
        return saysStatusAlone ? sentence : "\(sentence) (\(detail))"
    }

    /// What went wrong with a photo, behind its name where it has one.
    func told(of name: String) -> String { name.isEmpty ? told : "\(name): \(told)" }

    /// The detail alone, to be put behind a colon, in the user's language where that knows its sentence.
    var toldDetail: String {
        guard detail.hasSuffix(".") else { return detail }
        return Message(text: String(detail.dropLast())).translated + "."
    }

    /// What libraries say in detail of what people meet often, with `{name}` in the place of a value; it tells all that the kind of
    /// failure does.
    static let sentences = [
        "This is not a picture.", "The file is empty.", "The picture is damaged: the file is cut off.",
        "Decoding the picture took too long.", "The picture has more than {name} frames.", "There is no file {name}.",
        "{name} is a folder.", "The file is larger than {name} bytes.",
        "The server closed the connection before all was sent.", "The server redirects more than {name} times.",
        "The site's robots.txt asks that this is not fetched.", "This is not a web address.",
        "The file's name is not UTF-8; rename it.",
        "Cannot write the journal {name}: the disk is full.", "Cannot write {name}: the disk is full.",
        "Cannot write {name}: the disk is full. TMPDIR names another folder.",
    ]

    /// What is often wrong with a picture that is kept all the same.
    static let damages = ["the file is cut off", "some of its scans are missing"]

    /// The kind of failure has the status, too.
    private var saysStatusAlone: Bool {
        guard reason == .http, let status = Int(detail.prefix { $0.isNumber }) else { return false }
        return detail == PhotoError(TransferError.http(status: status)).detail
    }

    private var message: Message {
        switch reason {
        // The detail begins with the status.
        case .http: Self.message(ofStatus: String(detail.prefix { $0.isNumber }))
        case .unreachable where isUntrusted: "The server’s certificate is not trusted"
        // The library's word for what is there, and may not be read, too; its detail tells them apart.
        case .notFound where !detail.hasPrefix("There is no file "): "The file cannot be read"
        default: reason.message
        }
    }

    private static func message(ofStatus status: String) -> Message {
        switch status {
        case "404", "410": "There is no such picture on the server (\(status))"
        case "401", "403": "The server does not allow it (\(status))"
        default: "The server answered with an error (\(status))"
        }
    }
}

extension PhotoError.Reason {
    /// The word of reports, and behind it what it means in the user's language, if that is not English.
    var explained: String {
        let sentence = message.translated
        return sentence == message.english ? rawValue : "\(rawValue): \(sentence)"
    }

    fileprivate var message: Message {
        switch self {
        case .invalidAddress: "The address is not valid"
        case .forbiddenAddress: "The address is not allowed here"
        case .unreachable: "The server cannot be reached"
        case .timeout: "The server took too long to answer"
        case .hostResting: "The server failed too often and is left alone for a while"
        case .robots: "The site’s robots.txt forbids it"
        case .optedOut: "The server asks that it is not used"
        case .redirects: "The server sends from one address to the next without end"
        case .http: "The server answered with an error"
        case .truncated: "The picture did not arrive whole"
        case .tooLarge: "The file is too large"
        case .tooManyPixels: "The picture has too many pixels"
        case .empty: "The server sent nothing"
        case .notAnImage: "What arrived is not a picture"
        case .damagedImage: "The picture is damaged"
        case .unsupportedFormat: "This kind of picture cannot be read"
        case .tooManyFrames: "The animation is too long"
        case .memoryLimit: "There is not enough memory for the picture"
        case .decodeTimeout: "Reading the picture took too long"
        case .protocol: "The server does not speak HTTP"
        case .notFound: "The file is not there"
        case .loaderFailed: "The picture could not be loaded"
        case .processorFailed: "The picture could not be processed"
        case .tooSmall: "The picture is smaller than it may be"
        case .aspect: "The picture is longer and narrower than it may be"
        case .writeFailed: "The file cannot be written"
        case .invalidEntry: "The catalog’s entry is broken"
        case .cancelled: "Cancelled"
        }
    }
}

extension Catalog.LoadingError {
    /// Why a catalog cannot be had, in the user's language.
    var told: String {
        switch self {
        case .notFetched(.http(let status)):
            let message: Message = "The server answered with an error (\(status))"
            return message.translated == message.english ? "\(self)" : message.translated
        case .notFetched(let cause): return PhotoError(cause).told
        case .notRead(let error): return error.message.translated
        }
    }
}

extension CatalogError {
    fileprivate var message: Message {
        switch self {
        case .notFound(let path): "There is no catalog at \(path)."
        case .nameNotUTF8(let path): "The name of \(path) is not UTF-8. Rename it to open it."
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .isDevice(let path): "\(path) is a device or a socket, not a catalog."
        case .notTogether: "Pictures and folders can be opened together, catalogs and web addresses only one at a time."
        case .damaged(let format, let place, let reason):
            "The catalog (\(format.message)) is damaged at \(place.text): \(reason.message)."
        case .noAddressColumn(let name, let columns, let place):
            "The table has no column “\(name)”. At \(place.text) it names \(Self.list(columns.map(\.printable))); --url-column says which has the addresses."
        case .noColumnNames(let name, let columns, let place):
            "The table begins at \(place.text) with a row, not with its columns' names. Write a line above it with \(columns) names, the first of them “\(name)”."
        case .notACatalog(let reason): "This is not a catalog: \(reason.message)."
        case .notUnpacked(let compression, let reason):
            "The catalog cannot be unpacked (\(compression)): \(reason.message)."
        case .tooLarge(let limit): "The catalog is larger than the limit of \(limit) bytes."
        case .notStored(let folder, let reason):
            "The rows of the catalog cannot be kept in a temporary file in \(folder): \(reason). TMPDIR names another folder."
        case .outOfMemory: "There is not enough memory for the catalog."
        case .tooDeep(let format, let place, let limit):
            "The catalog (\(format.message)) is nested deeper than \(limit) levels at \(place.text)."
        }
    }
}

extension CatalogReason {
    fileprivate var message: Message { Message(text: text, name: name) }
}

extension CatalogFormat {
    /// What a person calls it; JSON and the like have one name everywhere.
    var message: Message {
        switch self {
        case .xmlPropertyList: "XML property list"
        case .binaryPropertyList: "binary property list"
        case .openStepPropertyList: "OpenStep property list"
        case .table: "table"
        case .list: "list"
        case .folder: "folder"
        case .json, .jsonLines: "\(description)"
        }
    }
}

extension CatalogPlace {
    /// The place in the user's language, such as “line 3, column 5 ($[2].url)”.
    var text: String {
        var parts: [String] = []
        if let line { parts.append(tr("line \(line)")) }
        if let column { parts.append(tr("column \(column)")) }
        if let byteOffset { parts.append(tr("byte \(byteOffset)")) }
        let position = parts.joined(separator: ", ")
        guard let keyPath else { return position }
        return position.isEmpty ? keyPath : "\(position) (\(keyPath))"
    }
}
