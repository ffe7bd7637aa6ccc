import Foundation
import XCTest

@testable import Pixels

final class PixelMemoryTests: XCTestCase {
    private static func address(_ buffer: PixelBuffer) -> Int {
        buffer.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    }

    func testTheNextPictureHasTheMemoryOfTheLast() {
        let memory = PixelMemory()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        let address = block.baseAddress
        memory.give(block)
        XCTAssertEqual(memory.byteCount, 1 << 20)
        XCTAssertNil(memory.take(byteCount: 2 << 20), "too small a block")
        XCTAssertNil(memory.take(byteCount: 1 << 19), "too large a block")
        let again = memory.take(byteCount: 1_000_000)
        XCTAssertEqual(again?.baseAddress, address)
        XCTAssertEqual(again?.count, 1 << 20)
        XCTAssertEqual(memory.byteCount, 0)
        XCTAssertNil(memory.take(byteCount: 1_000_000), "given out twice")
        again?.deallocate()
    }

    func testTheSmallestBlockThatFitsIsTaken() {
        let memory = PixelMemory()
        for size in [1_200_000, 1_000_000, 1_100_000] {
            memory.give(.allocate(byteCount: size, alignment: 64))
        }
        let block = memory.take(byteCount: 990_000)
        XCTAssertEqual(block?.count, 1_000_000)
        block?.deallocate()
    }

    func testWhatIsKeptIsBounded() {
        let memory = PixelMemory()
        for _ in 0..<50 { memory.give(.allocate(byteCount: 3 << 20, alignment: 64)) }
        XCTAssertLessThanOrEqual(memory.byteCount, PixelMemory.mostBytes)
        XCTAssertGreaterThan(memory.byteCount, PixelMemory.mostBytes - (3 << 20))
        let before = memory.byteCount
        memory.give(.allocate(byteCount: PixelMemory.mostBytes + 1, alignment: 64))
        memory.give(.allocate(byteCount: PixelMemory.smallest - 1, alignment: 64))
        XCTAssertEqual(memory.byteCount, before)
    }

    func testWithoutWorkItGoesBack() {
        let memory = PixelMemory()
        memory.give(.allocate(byteCount: 3 << 20, alignment: 64))
        let deadline = ContinuousClock.now + .seconds(60)
        while memory.byteCount > 0, .now < deadline { usleep(20_000) }
        XCTAssertEqual(memory.byteCount, 0)
    }

    func testPicturesFromManyThreadsDoNotShare() {
        let faults = FaultCount()
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let size = PixelSize(width: 400 + index % 3 * 20, height: 300)
            var image = PixelBuffer(size: size)
            let wasEmpty = image.withUnsafeBytes { $0.first == 0 && $0.last == 0 && $0[$0.count / 2] == 0 }
            image.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: UInt8(index)) }
            let copy = image
            image.withUnsafeMutableBytes { $0[7] = 99 }
            let isWhole = copy.withUnsafeBytes { $0[7] == UInt8(index) && $0.last == UInt8(index) }
            if !wasEmpty || !isWhole || Self.address(copy) % 64 != 0 { faults.add() }
        }
        XCTAssertEqual(faults.value, 0)
    }
}

/// Counts from any thread.
private final class FaultCount: @unchecked Sendable {
    // The lock guards the value.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}
