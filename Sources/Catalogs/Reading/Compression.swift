import Glibc
import Transfers

/// How a catalog may be compressed, told by its first bytes.
enum Compression: String {
    case gzip, zstd

    /// nil for bytes that are compressed by neither.
    init?(of bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.beginsWithSkippableFrame(bytes) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// Whether a frame comes first that says nothing (RFC 8878, section 3.1.2): `pzstd` begins its files so.
    private static func beginsWithSkippableFrame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, 0x50...0x5F ~= first else { return false }
        return bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// What the bytes are when they are unpacked, once: what is compressed twice stays so. Files that were written one behind
    /// the other are read as one.
    ///
    /// - Parameter limit: The most bytes, however few they are packed.
    func unpacked(_ packed: UnsafeBufferPointer<UInt8>, limit: Int) throws(CatalogError) -> CatalogSource {
        var left = UnsafeRawBufferPointer(packed)
        let reader = try UnpackingReader { room in
            let piece = UnsafeRawBufferPointer(rebasing: left.prefix(room.count))
            room.copyMemory(from: piece)
            left = UnsafeRawBufferPointer(rebasing: left[piece.count...])
            return piece.count
        }
        var bytes = GrowingBytes(limit: limit)
        _ = try bytes.fill(to: .max, from: reader)
        return bytes.source()
    }

    /// Has files that were written one behind the other, and checks sums and lengths.
    func makeDecoder() throws(DecodingFault) -> any BodyDecoder {
        switch self {
        case .gzip: InflatingDecoder(.gzip, refusingRest: true)
        case .zstd: try ZstdDecoder(.file)
        }
    }

    /// What is told of data that cannot be unpacked.
    func error(_ fault: DecodingFault) -> CatalogError {
        switch fault {
        case .damaged(let reason):
            .notUnpacked(compression: rawValue, reason: reason.map { CatalogReason($0) } ?? "the data is damaged")
        case .followed: .notUnpacked(compression: rawValue, reason: "something else follows its end")
        case .noMemory: .outOfMemory
        }
    }

    /// The same, where its end is missing.
    var endsTooEarly: CatalogError { .notUnpacked(compression: rawValue, reason: "the data ends too early") }
}
