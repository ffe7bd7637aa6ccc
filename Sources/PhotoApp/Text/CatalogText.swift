import CGtk
import PhotoPipeline
import Transfers

extension Catalog.LoadingError {
    /// Why a catalog cannot be had, in the user's language.
    @MainActor var sentence: String {
        switch self {
        case .notFetched(.http(let status)) where [404, 410].contains(status):
            tr("There is nothing at this address ({status}).").filled(["status": "\(status)"])
        case .notFetched(.truncated): tr("The catalog did not arrive whole.")
        case .notFetched(let error): PhotoError(error).sentence + "."
        case .notRead(let error): error.sentence
        }
    }

    /// What helps those who want to mend it, in English; empty where the sentence says all.
    var detail: String {
        switch self {
        case .notFetched(.unreachable(let reason)), .notFetched(.untrusted(let reason)),
            .notFetched(.protocolViolation(let reason)):
            reason
        case .notFetched, .notRead: ""
        }
    }
}

extension CatalogError {
    /// Why a file is no catalog, in the user's language.
    @MainActor var sentence: String {
        switch self {
        case .notFound(let path): tr("There is no catalog at {path}.").filled(["path": path])
        case .nameNotUTF8(let path):
            tr("The name of {path} is not UTF-8. Rename it to open it.").filled(["path": path])
        case .cannotRead(let path, let reason):
            tr("{path} cannot be read: {reason}.").filled(["path": path, "reason": SystemReason.text(reason)])
        case .isDevice(let path): tr("{path} is a device or a socket, not a catalog.").filled(["path": path])
        case .notTogether:
            tr("Pictures and folders can be opened together, catalogs and web addresses only one at a time.")
        case .damaged(let format, let place, let reason):
            tr("The catalog ({format}) is damaged at {place}: {reason}.").filled([
                "format": format.text, "place": place.text, "reason": reason.sentence,
            ])
        case .noAddressColumn(let name, let columns, let place):
            tr("The table has no column “{name}”. At {place} it names {columns}.").filled([
                "name": name, "place": place.text, "columns": Self.list(columns),
            ])
        case .noColumnNames(let name, let columns, let place):
            tr(
                "The table begins at {place} with a row, not with its columns' names. Write a line above it with {count} names, the first of them “{name}”."
            ).filled(["place": place.text, "count": "\(columns)", "name": name])
        case .notACatalog(let reason):
            tr("This is not a catalog: {reason}.").filled(["reason": reason.sentence])
        case .notUnpacked(let compression, let reason):
            tr("The catalog cannot be unpacked ({compression}): {reason}.").filled([
                "compression": compression, "reason": reason.sentence,
            ])
        case .tooLarge(let limit):
            tr("The catalog is larger than the limit of {size}.").filled(["size": limit.sizeText])
        case .notStored(let folder, let reason):
            // Rows of the app are in memory.
            tr("{path} cannot be read: {reason}.").filled(["path": folder, "reason": SystemReason.text(reason)])
        case .outOfMemory: tr("There is not enough memory for the catalog.")
        case .tooDeep(let format, let place, let limit):
            tr("The catalog ({format}) is nested deeper than {limit} levels at {place}.").filled([
                "format": format.text, "place": place.text, "limit": limit.grouped,
            ])
        }
    }
}

extension CatalogFormat {
    /// What a person calls it; JSON and the like have one name everywhere.
    @MainActor fileprivate var text: String {
        switch self {
        case .xmlPropertyList: tr("XML property list")
        case .binaryPropertyList: tr("binary property list")
        case .openStepPropertyList: tr("OpenStep property list")
        case .json: "JSON"
        case .jsonLines: "JSON Lines"
        case .table: tr("table")
        case .list: tr("list")
        case .folder: tr("folder")
        }
    }
}

extension CatalogPlace {
    /// The place in the user's language, such as “line 3, column 5 ($[2].url)”.
    @MainActor fileprivate var text: String {
        var parts: [String] = []
        if let line { parts.append(tr("line {number}").filled(["number": line.grouped])) }
        if let column { parts.append(tr("column {number}").filled(["number": column.grouped])) }
        if let byteOffset { parts.append(tr("byte {number}").filled(["number": byteOffset.grouped])) }
        let position = parts.joined(separator: ", ")
        guard let keyPath else { return position }
        return position.isEmpty ? keyPath : "\(position) (\(keyPath))"
    }
}

extension CatalogReason {
    /// The library's reason in the user's language.
    ///
    /// The library's sources are where these texts are; a test compares them with the translations.
    fileprivate var sentence: String { tr(text).filled(name.map { ["name": $0] } ?? [:]) }
}

extension Int {
    /// A number of bytes as the desktop writes it.
    var sizeText: String {
        guard let text = g_format_size(guint64(clamping: self)) else { return grouped }
        defer { g_free(text) }
        return String(cString: text)
    }
}
