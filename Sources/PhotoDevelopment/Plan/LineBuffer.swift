import Catalogs
import Glibc

/// Bytes in memory of their own, to which rows of a plan are written one behind the other. An array of bytes, as much quicker as it asks
/// for nothing but room. For one thread.
final class LineBuffer {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 1 << 17
    private(set) var count = 0

    init() {
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// What was written from a place on; until something is written again.
    func bytes(from start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + start, count: count - start)
    }

    func removeAll() { count = 0 }

    func append(_ byte: UInt8) {
        reserve(1)
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(memory + count, start, bytes.count)
        count += bytes.count
    }

    func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number that is not negative, in decimal digits.
    func append(decimal number: Int) {
        let most = 20
        reserve(most)
        var (rest, place) = (UInt(number), count + most)
        repeat {
            place -= 1
            memory.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 + rest % 10), toByteOffset: place, as: UInt8.self)
            rest /= 10
        } while rest > 0
        let digits = count + most - place
        memmove(memory + count, memory + place, digits)
        count += digits
    }

    /// Appends a text in UTF-8 as JSON writes it, in quotation marks.
    func appendJSON(_ text: UnsafeBufferPointer<UInt8>) {
        guard CatalogText.isPlainInJSON(text) else {
            return append(CatalogText.json(String(decoding: text, as: UTF8.self)))
        }
        append(UInt8(ascii: "\""))
        append(UnsafeRawBufferPointer(text))
        append(UInt8(ascii: "\""))
    }

    private func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(count + more, 2 * capacity)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
