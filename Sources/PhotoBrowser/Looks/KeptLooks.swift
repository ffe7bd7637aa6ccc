import Foundation
import OperationsCore
public import PhotoPipeline

/// Looks of single photos, kept in files from one run of a program to the next: a file for each catalog, by the photos' addresses as
/// they are written there. A catalog that has other rows, or the same in another order, finds them again.
///
/// What a look is, the program says. There are bounds to what is kept: see ``mostPhotos``, ``mostBytes`` and ``mostCatalogs``. Files
/// are read and written on the calling thread, which takes time.
///
/// What cannot be written is not lost: this value and its copies remember it, and read it back as if it were in the file, until it is
/// written with the next change or by ``keepAgain()``.
public struct KeptLooks<Look: Codable & Hashable & Sendable>: Sendable {
    /// How many photos of one catalog are kept; what is more is left out, the newest first.
    public static var mostPhotos: Int { 100_000 }
    /// How many bytes the addresses of one catalog's photos may have.
    public static var mostBytes: Int { 16_000_000 }
    /// How many catalogs are kept; those go that were changed longest ago.
    public static var mostCatalogs: Int { 200 }

    private let folder: URL
    /// What could not be written, by the names of the catalogs.
    private let unwritten = Lock<[String: File]>([:])

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
        let kept = read(name)
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
    /// - Throws: What the system says where it cannot be written; it is remembered.
    public func keep(
        _ new: PhotoValues<Look>, after old: PhotoValues<Look>, of catalog: Catalog, named name: String
    ) throws {
        let changed = new.photos(differingFrom: old).filter { $0.index < catalog.count }
        guard !changed.isEmpty else { return }
        var file = read(name)
        let addresses = changed.map { catalog[$0.index].address }
        let forgotten = Set(addresses)
        for index in file.looks.indices { file.looks[index].photos.removeAll { forgotten.contains($0) } }
        var places = Dictionary(file.looks.enumerated().map { ($1.look, $0) }) { first, _ in first }
        var room = (photos: Self.mostPhotos, bytes: Self.mostBytes)
        for entry in file.looks {
            room.photos -= entry.photos.count
            room.bytes -= entry.photos.reduce(0) { $0 + $1.utf8.count }
        }
        var added: Set<String> = []
        for (photo, address) in zip(changed, addresses) where !address.isEmpty {
            guard let look = new[photo], room.photos > 0, address.utf8.count <= room.bytes,
                added.insert(address).inserted
            else { continue }
            room.photos -= 1
            room.bytes -= address.utf8.count
            if let place = places[look] {
                file.looks[place].photos.append(address)
            } else {
                places[look] = file.looks.count
                file.looks.append(File.Entry(look: look, photos: [address]))
            }
        }
        file.looks.removeAll { $0.photos.isEmpty }
        try writeOrRemember(file)
    }

    /// Writes what could not be written before.
    ///
    /// - Throws: What the system says of one that still cannot be written. The others are written.
    public func keepAgain() throws {
        var problem: (any Error)?
        for file in unwritten.withLock({ Array($0.values) }) {
            do { try writeOrRemember(file) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    private func writeOrRemember(_ file: File) throws {
        unwritten.withLock { $0[file.name] = file }
        try write(file)
        unwritten.withLock { $0[file.name] = nil }
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
    }

    private static var ending: String { "json" }

    private func place(of name: String) -> URL {
        // FNV-1a; what is asked of it is a short name for a file that is the same each time.
        let sum = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return folder.appending(path: String(sum, radix: 16) + "." + Self.ending)
    }

    private func read(_ name: String) -> File {
        if let file = unwritten.withLock({ $0[name] }) { return file }
        guard let data = try? Data(contentsOf: place(of: name)),
            let file = try? JSONDecoder().decode(File.self, from: data), file.name == name
        else { return File(name: name) }
        return file
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
