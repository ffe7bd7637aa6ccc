internal import Dispatch
internal import Glibc

/// Memory of pictures that are gone, kept for the next ones.
///
/// The system hands out each page of new memory zeroed, at the first touch, and a stage that makes a picture after the
/// other pays for that with every picture. What is kept is bounded, and goes back when no picture was made or freed for
/// a while.
package final class PixelMemory: Sendable {
    package static let shared = PixelMemory()

    /// Smaller blocks malloc keeps by itself.
    static let smallest = 256 << 10
    /// Some pictures as large as a screen shows them, or as many as two cores have in work.
    static let mostBytes = 32 << 20
    private static let idleTime = DispatchTimeInterval.seconds(2)

    private struct State {
        /// The longest kept is first.
        var blocks: [Block] = []
        var byteCount = 0
        /// Counts what was taken and given: whether anything was since a timer was set.
        var uses: UInt64 = 0
        var hasTimer = false
        var keepsNothing = false
    }

    /// `@unchecked Sendable`: nobody else has the memory.
    private struct Block: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer
    }

    private let state = Guarded(State())

    /// Bytes that are kept.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// A kept block of at least so many bytes, and at most a quarter more; nil if there is none. Its bytes are what they
    /// were.
    func take(byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        guard byteCount >= Self.smallest else { return nil }
        return state.withLock { state in
            state.uses += 1
            let fitting = state.blocks.indices.filter { index in
                let size = state.blocks[index].bytes.count
                return size >= byteCount && size - byteCount <= byteCount / 4
            }
            guard let best = fitting.min(by: { state.blocks[$0].bytes.count < state.blocks[$1].bytes.count }) else {
                return nil
            }
            let block = state.blocks.remove(at: best)
            state.byteCount -= block.bytes.count
            return block.bytes
        }
    }

    /// Takes over a block that nobody uses any more.
    func give(_ bytes: UnsafeMutableRawBufferPointer) {
        guard (Self.smallest...Self.mostBytes).contains(bytes.count) else { return RawMemory.free(bytes) }
        let freed = state.withLock { state in
            guard !state.keepsNothing else { return [Block(bytes: bytes)] }
            state.uses += 1
            state.blocks.append(Block(bytes: bytes))
            state.byteCount += bytes.count
            // Those that wait longest are of sizes that are no longer made.
            var freed: [Block] = []
            while state.byteCount > Self.mostBytes {
                let oldest = state.blocks.removeFirst()
                state.byteCount -= oldest.bytes.count
                freed.append(oldest)
            }
            setTimer(&state)
            return freed
        }
        for block in freed { RawMemory.free(block.bytes) }
    }

    /// From now on gives all memory back at once, for a process that may not start the threads that would do so later.
    package func keepNothing() {
        let freed = state.withLock { state in
            state.keepsNothing = true
            defer {
                state.blocks = []
                state.byteCount = 0
            }
            return state.blocks
        }
        for block in freed { RawMemory.free(block.bytes) }
    }

    private func setTimer(_ state: inout State) {
        guard !state.hasTimer, !state.blocks.isEmpty else { return }
        state.hasTimer = true
        let uses = state.uses
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime) { [self] in
            trim(unlessUsedSince: uses)
        }
    }

    private func trim(unlessUsedSince before: UInt64) {
        let freed = state.withLock { state in
            state.hasTimer = false
            guard state.uses == before else {
                setTimer(&state)
                return [Block]()
            }
            defer {
                state.blocks = []
                state.byteCount = 0
            }
            return state.blocks
        }
        for block in freed { RawMemory.free(block.bytes) }
    }
}
