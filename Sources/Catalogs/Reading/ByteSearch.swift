/// Looks for bytes sixteen at a time, as most bytes of a catalog are nothing but text.
enum ByteSearch {
    /// Sixteen bytes.
    typealias Word = SIMD16<UInt8>

    /// The first place of one of some bytes; the end where there is none.
    ///
    /// - Parameter marks: Marks them among sixteen.
    @inline(__always)
    static func first(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ marks: (Word) -> SIMDMask<SIMD16<Int8>>
    ) -> Int {
        guard let base = bytes.baseAddress else { return start }
        let (raw, size) = (UnsafeRawPointer(base), Word.scalarCount)
        var position = start
        while position + size <= bytes.count {
            let place = first(marks(raw.loadUnaligned(fromByteOffset: position, as: Word.self)))
            if place < size { return position + place }
            position += size
        }
        guard position < bytes.count else { return position }
        if bytes.count - start >= size {
            // The last sixteen, of which the first ones have been looked at already.
            let last = bytes.count - size
            return last + first(marks(raw.loadUnaligned(fromByteOffset: last, as: Word.self)))
        }
        while position < bytes.count, first(marks(Word(repeating: bytes[position]))) > 0 { position += 1 }
        return position
    }

    /// The number of the first mark; 16 where there is none.
    @inline(__always)
    private static func first(_ marks: SIMDMask<SIMD16<Int8>>) -> Int {
        // A mask is sixteen bytes, all bits of each set or none; both types have that size, and any bits are numbers.
        let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        if words.x != 0 { return words.x.littleEndian.trailingZeroBitCount / 8 }
        return 8 + words.y.littleEndian.trailingZeroBitCount / 8
    }
}

extension ByteSearch.Word {
    /// Marks where a byte is.
    @inline(__always)
    func has(_ byte: UInt8) -> SIMDMask<SIMD16<Int8>> { self .== Self(repeating: byte) }

    /// Marks bytes below a number.
    @inline(__always)
    func hasLess(than bound: UInt8) -> SIMDMask<SIMD16<Int8>> { self .< Self(repeating: bound) }
}
