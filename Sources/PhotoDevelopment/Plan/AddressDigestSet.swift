/// Digests in memory of their own, which does not grow. For one thread.
final class AddressDigestSet {
    private let memory: LargeMemory
    private let slots: UnsafeMutableBufferPointer<AddressDigest>

    /// - Parameter count: About how many there will be; there is room for twice as many.
    init(count: Int) {
        var size = 64
        while size < 2 * count { size *= 2 }
        memory = LargeMemory(byteCount: size * MemoryLayout<AddressDigest>.stride, isMuchUsed: size > 1 << 16)
        slots = memory.bytes.bindMemory(to: AddressDigest.self)
    }

    /// - Parameter digest: Any but ``AddressDigest/none``.
    /// - Returns: Whether it was not there before.
    func insert(_ digest: AddressDigest) -> Bool {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: digest.second) & mask
        while slots[place] != .none {
            if slots[place] == digest { return false }
            place = (place + 1) & mask
        }
        slots[place] = digest
        return true
    }
}
