import Glibc
import Transfers

/// Reads bytes piece by piece, and unpacks what is compressed by gzip or zstd, in flat memory; for one thread.
final class UnpackingReader {
    private static let inputSize = 1 << 17

    /// Brings the next bytes into some room, and says how many; 0 at the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws(CatalogError) -> Int

    private let source: Source
    private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: inputSize)
    /// What is in ``input``, and how much of that is used up.
    private var (filled, used) = (0, 0)
    private var isAtEnd = false
    /// What undoes the compression; nil where there is none.
    private var packing: (compression: Compression, decoder: any BodyDecoder)?

    /// Whether what is read is packed.
    var isUnpacking: Bool { packing != nil }

    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open.
    ///   - path: The name for messages.
    convenience init(_ descriptor: Int32, path: String) throws(CatalogError) {
        try self.init { (room) throws(CatalogError) in try CatalogSource.read(descriptor, into: room, path: path) }
    }

    init(reading source: @escaping Source) throws(CatalogError) {
        self.source = source
        // The first bytes say how it is packed; a pipe may bring them one by one.
        while filled < 4, !isAtEnd { try fill() }
        guard let compression = Compression(of: UnsafeBufferPointer(rebasing: input[..<filled])) else { return }
        do throws(DecodingFault) {
            packing = (compression, try compression.makeDecoder())
        } catch {
            throw compression.error(error)
        }
    }

    deinit { input.deallocate() }

    /// Puts the next bytes into some room.
    ///
    /// - Returns: How many there are; 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(CatalogError) -> Int {
        while true {
            if used == filled, !isAtEnd {
                (filled, used) = (0, 0)
                try fill()
            }
            let isOver = used == filled && isAtEnd
            var rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(input)[used..<filled])
            guard let (compression, decoder) = packing else {
                let count = min(room.count, rest.count)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
                used += count
                return count
            }
            let count: Int
            do throws(DecodingFault) { count = try decoder.decode(&rest, into: room) } catch {
                throw compression.error(error)
            }
            used = filled - rest.count
            if count > 0 { return count }
            guard isOver else { continue }
            if !decoder.isWhole { throw compression.endsTooEarly }
            return 0
        }
    }

    /// Appends the next bytes.
    ///
    /// - Parameter most: The most that are taken.
    /// - Returns: How many there are; 0 at the end.
    func append(to bytes: inout [UInt8], atMost most: Int) throws(CatalogError) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: most))
        // What is thrown inside would have no type outside.
        let received = bytes.withUnsafeMutableBytes { bytes -> Result<Int, CatalogError> in
            do throws(CatalogError) {
                return .success(try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...])))
            } catch {
                return .failure(error)
            }
        }
        bytes.removeLast(most - ((try? received.get()) ?? 0))
        return try received.get()
    }

    private func fill() throws(CatalogError) {
        let received = try source(
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(input)[filled...]))
        filled += received
        isAtEnd = received == 0
    }
}
