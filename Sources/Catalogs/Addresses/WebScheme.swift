import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// How many bytes of an address are `https://` or `http://`, as most addresses begin; nil where more than a glance is needed to know
    /// whether it is of the web.
    package var webSchemeLength: Int? {
        if hasPrefix("https://") { return 8 }
        return hasPrefix("http://") ? 7 : nil
    }

    /// Whether it begins with `http://` or `https://`, in either case.
    var beginsAsWebAddress: Bool {
        Byte.equal(prefix(7), ignoringCase: "http://".utf8) || Byte.equal(prefix(8), ignoringCase: "https://".utf8)
    }

    /// The same as `starts(with:)`, which goes by way of iterators and took 4 % of the time of a plan.
    private func hasPrefix(_ text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
