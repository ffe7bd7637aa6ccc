internal import Glibc

/// A picture in memory: bytes of red, green, blue and alpha in this order, 8 bits each.
///
/// Colour is sRGB and straight (not multiplied by alpha). Rows are tightly packed, top row first: a row is
/// `4 * width` bytes. The first byte is aligned to 64. The buffer is a value: copies share memory until one of
/// them is written to.
public struct PixelBuffer: Sendable {
    /// Width and height in pixels.
    public let size: PixelSize

    /// True only if every alpha is 255.
    ///
    /// False means that it is not known: a buffer is not searched for transparent pixels.
    public internal(set) var isOpaque: Bool

    private var storage: PixelStorage

    /// Makes a transparent black picture.
    ///
    /// - Precondition: the bytes of the picture can be counted in an `Int`; whoever reads sizes from input
    ///   limits them first.
    public init(size: PixelSize) {
        self.init(uninitialized: size, isOpaque: size.isEmpty) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// Makes a picture from memory that `initialize` fills.
    ///
    /// - Parameters:
    ///   - size: Width and height in pixels.
    ///   - isOpaque: Whether `initialize` promises to write 255 to every alpha.
    ///   - initialize: Is given `4 * width * height` bytes and writes all of them; what it throws is thrown on.
    /// - Precondition: the bytes of the picture can be counted in an `Int`.
    public init(
        uninitialized size: PixelSize, isOpaque: Bool,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws -> Void
    ) rethrows {
        guard let storage = Self.storage(for: size) else {
            preconditionFailure("a picture of \(size) pixels does not fit in memory")
        }
        try initialize(storage.bytes)
        self.init(size: size, isOpaque: isOpaque, storage: storage)
    }

    /// Makes a picture as the other initializer does; nil where there is no memory for it.
    package init?(
        allocating size: PixelSize, isOpaque: Bool,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws -> Void
    ) rethrows {
        guard let storage = Self.storage(for: size) else { return nil }
        try initialize(storage.bytes)
        self.init(size: size, isOpaque: isOpaque, storage: storage)
    }

    private init(size: PixelSize, isOpaque: Bool, storage: PixelStorage) {
        self.size = size
        self.isOpaque = isOpaque
        self.storage = storage
    }

    private static func storage(for size: PixelSize) -> PixelStorage? {
        let (pixels, tooMany) = size.width.multipliedReportingOverflow(by: size.height)
        let (count, tooLarge) = pixels.multipliedReportingOverflow(by: 4)
        return tooMany || tooLarge ? nil : PixelStorage(uninitializedByteCount: count)
    }

    /// Bytes of the whole picture, `4 * width * height`.
    public var byteCount: Int { storage.bytes.count }

    /// Bytes of one row, `4 * width`.
    public var bytesPerRow: Int { size.width * 4 }

    /// Gives `body` the bytes to read; the pointer is valid inside it, and for as long as a copy of this value is kept
    /// that nobody writes to. What `body` throws is thrown on.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // The storage must outlive the call even if this is its last use.
        try withExtendedLifetime(storage) { try body(UnsafeRawBufferPointer(storage.bytes)) }
    }

    /// Gives `body` the bytes to write; the pointer is valid only inside it.
    ///
    /// Memory that is shared with another buffer is copied first. Distinct parts may be written from several
    /// threads while `body` runs.
    ///
    /// - Parameters:
    ///   - keepsOpacity: Whether `body` promises to leave an opaque picture opaque. Without the promise `isOpaque`
    ///     is false afterwards.
    ///   - body: Writes the bytes; what it throws is thrown on.
    public mutating func withUnsafeMutableBytes<Result>(
        keepsOpacity: Bool = false, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        if !makeOwn() { preconditionFailure("a copy of \(size) pixels does not fit in memory") }
        if !keepsOpacity { isOpaque = false }
        return try withExtendedLifetime(storage) { try body(storage.bytes) }
    }

    /// Copies the memory if another buffer shares it, so that writing to it takes none.
    ///
    /// - Returns: false where there is no memory for the copy.
    mutating func makeOwn() -> Bool {
        if isKnownUniquelyReferenced(&storage) { return true }
        guard let copy = PixelStorage(uninitializedByteCount: storage.bytes.count) else { return false }
        copy.bytes.copyMemory(from: UnsafeRawBufferPointer(storage.bytes))
        storage = copy
        return true
    }
}

extension PixelBuffer: Equatable {
    /// Whether both have the same size and the same bytes; what is known about opacity does not count.
    public static func == (a: PixelBuffer, b: PixelBuffer) -> Bool {
        guard a.size == b.size else { return false }
        return a.storage === b.storage
            || a.withUnsafeBytes { left in
                b.withUnsafeBytes { right in
                    guard let left = left.baseAddress, let other = right.baseAddress else { return true }
                    return memcmp(left, other, right.count) == 0
                }
            }
    }
}
