/// The check that bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
enum UTF8Validation {
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { (try? UTF8Span(validating: bytes.span)) != nil }

    static func isValid(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        isValid(UnsafeBufferPointer(rebasing: bytes))
    }
}
