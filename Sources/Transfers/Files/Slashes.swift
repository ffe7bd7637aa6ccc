/// Where the parts of a path meet.
///
/// By bytes: a name that begins with an accent, a variation selector or a vowel sign is one `Character` with the slash before it, which
/// is not a slash then.
extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The first slash.
    package var firstSlash: Index? { utf8.firstIndex(of: UInt8(ascii: "/")) }

    /// The last slash.
    package var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }

    /// The parts between slashes that are not empty.
    package var pathParts: [SubSequence] {
        utf8.split(separator: UInt8(ascii: "/")).map { self[$0.startIndex..<$0.endIndex] }
    }
}
