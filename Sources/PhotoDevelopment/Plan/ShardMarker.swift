import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// What says that a shard is committed, and which attempt's files it is: the contents of `done/00007.json`.
struct ShardMarker: Codable, Equatable, Sendable {
    /// A file with what it has to be.
    struct File: Codable, Equatable, Sendable {
        let size: Int
        let sha256: String
    }

    /// The plan's digest.
    let plan: String
    let shard: Int
    let task: Int
    /// The word in the names of its files.
    let attempt: String
    let rows: Int
    let written: Int
    /// How many rows failed, by reason.
    let failures: [String: Int]
    /// The bytes that were received.
    let bytes: Int
    let tar: File
    let index: File
    /// The index as a table of Parquet.
    let table: File

    /// Whether it can be the marker of a shard with so many rows: a damaged one may still be JSON, and its numbers are summed up and its
    /// word becomes part of paths.
    func isSound(rows count: Int) -> Bool {
        let most = 1 << 48
        return rows == count && (0...count).contains(written) && failures.values.allSatisfy { (0...count).contains($0) }
            && written + failures.values.reduce(0, +) == count && (0...most).contains(bytes)
            && [tar, index, table].allSatisfy { (0...most).contains($0.size) } && !attempt.isEmpty
            && attempt.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
    }

    /// Whether there is anything in its tar file: an archive of nothing is two blocks of zeros.
    var hasSamples: Bool { tar.size > 1_024 }

    func text() -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
    }

    /// The most bytes that one has.
    static let limit = 1 << 16

    /// Reads a marker.
    ///
    /// - Returns: Nil where there is none.
    /// - Throws: `damaged`, or why it cannot be read.
    static func read(_ name: String, in place: any PlanPlace) throws(PlaceError) -> ShardMarker? {
        guard let bytes = try place.read(name, limit: limit) else { return nil }
        if let marker = bytes.withUnsafeBytes({ ShardMarker(asWritten: $0) }) { return marker }
        guard let marker = try? JSONDecoder().decode(ShardMarker.self, from: bytes) else { throw .damaged }
        return marker
    }
}

extension ShardMarker.File {
    /// What a file of these bytes is.
    init(of bytes: Data) {
        self.init(size: bytes.count, sha256: SHA256.hexDigest(of: bytes))
    }

    /// What a file is.
    init(at path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var sum = Sum()
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let received = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if received == 0 { break }
            if received < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<received])) }
        }
        self = sum.finalize()
    }

    /// What bytes are that come piece by piece.
    struct Sum: ~Copyable {
        private var sum = SHA256()
        private var size = 0

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            sum.update(bytes)
            size += bytes.count
        }

        /// What all of them are; last.
        mutating func finalize() -> ShardMarker.File {
            ShardMarker.File(size: size, sha256: SHA256.hex(sum.finalize()))
        }
    }
}
