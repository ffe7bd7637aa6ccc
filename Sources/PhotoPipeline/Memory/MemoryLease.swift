/// What something on its way takes of an address's memory: a body, a decoded picture. It goes with that from stage to stage,
/// and the memory is given back when the last one lets go of it.
final class MemoryLease: Sendable {
    let memory: PhotoMemory
    let part: PhotoMemory.Part

    /// - Parameters:
    ///   - memory: Counted as in use as long as there is a lease on it.
    ///   - part: What is given back with this lease; a part of its own by default.
    init(_ memory: PhotoMemory, _ part: PhotoMemory.Part? = nil) {
        self.memory = memory
        self.part = part ?? memory.makePart()
        memory.retain()
    }

    deinit { memory.release(part) }
}
