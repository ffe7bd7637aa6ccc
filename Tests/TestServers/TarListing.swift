package import Foundation

/// The members of a tar file, read as POSIX has the format and by nothing of ours.
package struct TarListing {
    /// A member's name and bytes, in order.
    package private(set) var members: [(name: String, bytes: Data)] = []
    /// Where the members end.
    package private(set) var end = 0
    /// Whether nothing but the two blocks of zeros follows.
    package private(set) var isWhole = false

    /// Reads as far as there are whole members.
    package init(_ file: Data) {
        let bytes = [UInt8](file)
        while end + 512 <= bytes.count, bytes[end] != 0 {
            let header = bytes[end..<end + 512]
            guard let size = Self.octal(header, 124, 12), Self.checksum(header) == Self.octal(header, 148, 8) else {
                return
            }
            let start = end + 512
            let next = start + (size + 511) / 512 * 512
            guard next <= bytes.count else { return }
            members.append((Self.text(header, 0, 100), Data(bytes[start..<start + size])))
            end = next
        }
        isWhole = bytes.count == end + 1_024 && bytes[end...].allSatisfy { $0 == 0 }
    }

    private static func text(_ header: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> String {
        String(decoding: header.dropFirst(start).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func octal(_ header: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> Int? {
        Int(text(header, start, count).trimmingCharacters(in: .whitespaces), radix: 8)
    }

    /// Of a header whose own checksum counts as spaces.
    private static func checksum(_ header: ArraySlice<UInt8>) -> Int {
        header.enumerated().reduce(0) { $0 + Int(148..<156 ~= $1.offset ? 0x20 : $1.element) }
    }
}
