/// The memory that is held for previews of one body: the passes, and the bytes that wait for the next one.
///
/// A follower that does not take its preview keeps the next pass from being made, and so all bytes that come until then.
struct PreviewMemory {
    /// Fewer bytes than this are not counted, and more are in steps of as many.
    private static let step = 1 << 18
    /// Up to so many may be kept while others have all memory, so that a moment of that does not end the previews of somebody who takes
    /// each: between two passes 200 ms go by.
    private static let mostUncounted = 4 << 20

    /// Nil where nothing is held.
    var part: PhotoMemory.Part?
    private var passes = 0
    private var bytes = 0

    /// Whether so many bytes may be kept.
    mutating func mayKeep(_ count: Int, in memory: PhotoMemory) -> Bool {
        let wanted = Self.counted(count)
        guard wanted > bytes else { return true }
        guard let part, memory.request(passes + wanted, for: part, askAgain: {}) else {
            return count - bytes <= Self.mostUncounted
        }
        bytes = wanted
        return true
    }

    /// Whether there is memory for the passes, which it is then held for.
    mutating func mayMakePasses(in needed: Int, in memory: PhotoMemory) -> Bool {
        guard needed > passes else { return true }
        guard let part, memory.request(needed + bytes, for: part, askAgain: {}) else { return false }
        passes = needed
        return true
    }

    /// Holds no more than for so many bytes, and for the passes.
    /// - Returns: Those to be called, outside all locks, as it is worth asking again.
    mutating func keepOnly(_ count: Int, in memory: PhotoMemory) -> [@Sendable () -> Void] {
        bytes = min(bytes, Self.counted(count))
        return part.map { memory.shrink(to: passes + bytes, for: $0) } ?? []
    }

    /// Holds nothing more.
    /// - Returns: As above.
    func release(in memory: PhotoMemory) -> [@Sendable () -> Void] {
        part.map { memory.shrink(to: 0, for: $0) } ?? []
    }

    private static func counted(_ count: Int) -> Int { count / step * step }
}
