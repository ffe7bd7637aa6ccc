import Foundation
import OperationsCore
public import PhotoPipeline

/// Looks of single photos, kept in files from one run of a program to the next: a file for each catalog, by the photos' addresses as
/// they are written there. A catalog that has other rows, or the same in another order, finds them again.
///
/// What a look is, the program says. There are bounds to what is kept: see ``mostPhotos``, ``mostBytes`` and ``mostCatalogs``. Files
/// are read and written on the calling thread, which takes time.
///
/// What cannot be written is not lost: this value and its copies remember it, and give it as if it were in the file, until it is written
/// with the next change or by ``keepAgain()``. That is so also where the file cannot be read, which then stays as it is. One whose content
/// is not understood is put aside, with `.broken` at the end of its name, before another one is written.
public struct KeptLooks<Look: Codable & Hashable & Sendable>: Sendable {
    /// How many photos of one catalog are kept; what is more is left out, the newest first.
    public static var mostPhotos: Int { 100_000 }
    /// How many bytes the addresses of one catalog's photos may have.
    public static var mostBytes: Int { 16_000_000 }
    /// How many catalogs are kept; those go that were changed longest ago.
    public static var mostCatalogs: Int { 200 }

    private let folder: URL
    /// What is not written yet, by the names of the catalogs.
    private let unwritten = Lock<[String: Changes]>([:])

    /// Looks that are kept in a folder.
    ///
    /// - Parameter folder: The path of the folder for the files. It is made when there is something to keep.
    public init(folder: String) {
        self.folder = URL(filePath: folder)
    }

    /// The looks that photos of a catalog had; none where nothing was kept, and where the file cannot be read.
    ///
    /// - Parameters:
    ///   - catalog: The photos.
    ///   - name: What the catalog is kept by, such as its path.
    public func looks(of catalog: Catalog, named name: String) -> PhotoValues<Look> {
        var looks = PhotoValues<Look>()
        var kept = (try? read(name)) ?? File(name: name)
        if let changes = unwritten.withLock({ $0[name] }) { kept.take(changes) }
        guard !kept.looks.isEmpty else { return looks }
        let numbers = kept.numbers
        var photos = kept.looks.map { _ in [Photo.ID]() }
        for row in catalog {
            if let number = numbers[row.address] { photos[number].append(Photo.ID(row.index)) }
        }
        for (entry, photos) in zip(kept.looks, photos) { looks.set(entry.look, for: photos) }
        return looks
    }

    /// Keeps what has changed. Photos that are not in this catalog, and were when it was opened another time, stay as they are, and so
    /// do those that another window has changed meanwhile.
    ///
    /// - Parameters:
    ///   - old: The looks that were kept or read last.
    ///   - new: The looks at present.
    ///   - catalog: The photos.
    ///   - name: What the catalog is kept by.
    /// - Returns: The path that the file is at now, where its content was not understood; nil where it was, or where there was none.
    /// - Throws: What the system says where the file cannot be read or written; what has changed is remembered.
    @discardableResult
    public func keep(
        _ new: PhotoValues<Look>, after old: PhotoValues<Look>, of catalog: Catalog, named name: String
    ) throws -> String? {
        let changed = new.photos(differingFrom: old).filter { $0.index < catalog.count }
        guard !changed.isEmpty else { return nil }
        var looks: [(address: String, look: Look?)] = []
        // Several photos may have one address: the first of them that has a look says which one it is.
        var places: [String: Int] = [:]
        for photo in changed {
            let address = catalog[photo.index].address
            guard !address.isEmpty else { continue }
            if let place = places[address] {
                looks[place].look = looks[place].look ?? new[photo]
            } else {
                places[address] = looks.count
                looks.append((address, new[photo]))
            }
        }
        unwritten.withLock { unwritten in
            for (address, look) in looks { unwritten[name, default: Changes()].set(look, for: address) }
        }
        return try write(changesOf: name)
    }

    /// Writes what could not be written before.
    ///
    /// - Returns: The path that a file is at now whose content was not understood; nil where there was none.
    /// - Throws: What the system says of one that still cannot be read or written. The others are written.
    @discardableResult
    public func keepAgain() throws -> String? {
        var (problem, copy): ((any Error)?, String?)
        for name in unwritten.withLock({ Array($0.keys) }) {
            do { copy = try write(changesOf: name) ?? copy } catch { problem = error }
        }
        if let problem { throw problem }
        return copy
    }

    /// Writes what has changed in a catalog, and remembers it no longer.
    ///
    /// - Returns: The path that the file is at now, where its content was not understood.
    private func write(changesOf name: String) throws -> String? {
        guard let changes = unwritten.withLock({ $0[name] }) else { return nil }
        var file: File
        var copy: String?
        do { file = try read(name) } catch is DecodingError {
            copy = try putAside(name)
            file = File(name: name)
        }
        file.take(changes)
        try write(file)
        unwritten.withLock { $0[name] = nil }
        return copy
    }

    /// Looks that photos are to get in the file, by their addresses.
    private struct Changes {
        /// In the order of the changes; the look is nil where a photo is to have that of all.
        private(set) var looks: [(address: String, look: Look?)] = []
        private var places: [String: Int] = [:]

        mutating func set(_ look: Look?, for address: String) {
            if let place = places[address] {
                looks[place].look = look
            } else {
                places[address] = looks.count
                looks.append((address, look))
            }
        }
    }

    // MARK: The files

    private struct File: Codable {
        struct Entry: Codable {
            let look: Look
            var photos: [String]
        }

        /// The catalog; two names could have one file.
        let name: String
        var looks: [Entry] = []

        /// The place of each photo's look.
        var numbers: [String: Int] {
            var numbers: [String: Int] = [:]
            for (number, entry) in looks.enumerated() { for photo in entry.photos { numbers[photo] = number } }
            return numbers
        }

        /// Takes over what has changed, as far as there is room for it.
        mutating func take(_ changes: Changes) {
            let changed = Set(changes.looks.lazy.map(\.address))
            for index in looks.indices { looks[index].photos.removeAll { changed.contains($0) } }
            var places = Dictionary(looks.enumerated().map { ($1.look, $0) }) { first, _ in first }
            var room = (photos: KeptLooks.mostPhotos, bytes: KeptLooks.mostBytes)
            for entry in looks {
                room.photos -= entry.photos.count
                room.bytes -= entry.photos.reduce(0) { $0 + $1.utf8.count }
            }
            for (address, look) in changes.looks {
                guard let look, room.photos > 0, address.utf8.count <= room.bytes else { continue }
                room.photos -= 1
                room.bytes -= address.utf8.count
                if let place = places[look] {
                    looks[place].photos.append(address)
                } else {
                    places[look] = looks.count
                    looks.append(Entry(look: look, photos: [address]))
                }
            }
            looks.removeAll { $0.photos.isEmpty }
        }
    }

    private static var ending: String { "json" }

    private func place(of name: String) -> URL {
        // FNV-1a; what is asked of it is a short name for a file that is the same each time.
        let sum = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return folder.appending(path: String(sum, radix: 16) + "." + Self.ending)
    }

    /// What is in the file of a catalog: nothing where there is none.
    private func read(_ name: String) throws -> File {
        let data: Data
        do { data = try Data(contentsOf: place(of: name)) } catch let error as CocoaError
            where error.code == .fileReadNoSuchFile
        { return File(name: name) }
        let file = try JSONDecoder().decode(File.self, from: data)
        return file.name == name ? file : File(name: name)
    }

    /// Puts a file aside whose content is not understood, in place of one that was put aside earlier.
    ///
    /// - Returns: Its path.
    private func putAside(_ name: String) throws -> String {
        let path = place(of: name).path
        let aside = path + ".broken"
        guard rename(path, aside) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return aside
    }

    private func write(_ file: File) throws {
        let place = place(of: file.name)
        guard !file.looks.isEmpty else {
            if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
            return
        }
        // What somebody looks at concerns nobody else.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try JSONEncoder().encode(file).write(to: place, options: .atomic)
        try removeEldest()
    }

    private func removeEldest() throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == Self.ending }
        guard files.count > Self.mostCatalogs else { return }
        let dated = files.map { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return (file: file, date: attributes?[.modificationDate] as? Date ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.date < $1.date }).prefix(files.count - Self.mostCatalogs) {
            try FileManager.default.removeItem(at: file)
        }
    }
}
