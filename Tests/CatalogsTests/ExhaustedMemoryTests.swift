import Glibc
import Testing

@testable import Catalogs

/// Where there is no memory for a catalog, it is refused, and the program goes on.
struct ExhaustedMemoryTests {
    /// A sanitizer ends a process that asks for so much.
    private static let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil
    }

    @Test(.enabled(if: !isSanitized)) func aBlockWithoutMemoryIsExhaustedAndLosesWhatIsAppended() {
        for capacity in [Int.max / 16, Int.max] {
            let block = Block<UInt64>(capacity: capacity)
            #expect(block.isExhausted)
            for number in 0..<1_000 { block.append(UInt64(number)) }
            #expect(block.count == 0)
            block.removeFirst()
            #expect(block.elements.isEmpty)
        }
        let arena = ByteArena(capacity: .max / 2)
        #expect(arena.isExhausted)
        let source = CatalogSource(borrowing: UnsafeBufferPointer(start: nil, count: 0))
        let builder = CatalogBuilder(source: source, start: 0, hasLines: true, limits: CatalogLimits(), arena: arena)
        let error = #expect(throws: CatalogError.self) {
            try builder.finish(origin: .file(path: "/list"), format: .list, shape: .lines(columns: 1))
        }
        #expect(error == .outOfMemory)
        #expect(arena.makeSource() == nil)
    }

    @Test func blocksGrowAndShrink() {
        let block = Block<UInt16>()
        for number in 0..<1_000 { block.append(UInt16(number)) }
        #expect(Array(block.elements) == Array(0..<1_000))
        block.truncate(to: 10)
        block.removeFirst()
        #expect(Array(block.elements) == Array(1..<10))
        block.append(contentsOf: 5..<7)
        #expect(block[9] == 5 && block.count == 11 && !block.isExhausted)
    }
}
