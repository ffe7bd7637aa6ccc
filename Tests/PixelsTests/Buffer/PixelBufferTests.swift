import OperationsTesting
import Pixels
import Testing

@Suite struct PixelBufferTests {
    @Test func startsTransparentBlackAndAligned() {
        let buffer = PixelBuffer(size: PixelSize(width: 3, height: 2))
        #expect(buffer.byteCount == 24)
        #expect(buffer.bytesPerRow == 12)
        #expect(!buffer.isOpaque)
        #expect(buffer.pixels.allSatisfy { $0 == [0, 0, 0, 0] })
        buffer.withUnsafeBytes { bytes in
            #expect(UInt(bitPattern: bytes.baseAddress) % 64 == 0)
        }
    }

    @Test func writingToACopyLeavesTheOriginal() {
        var generator = SeededRandom(seed: 1)
        let original = PixelBuffer.random(width: 4, height: 4, isOpaque: true, using: &generator)
        let before = original.pixels
        var copy = original
        #expect(copy == original)
        copy.withUnsafeMutableBytes { $0[0] ^= 0xFF }
        #expect(original.pixels == before)
        #expect(copy != original)
        #expect(original.isOpaque)
        #expect(!copy.isOpaque)
    }

    @Test func aSoleOwnerIsWrittenInPlace() {
        var buffer = PixelBuffer(size: PixelSize(width: 4, height: 4))
        let address = buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        buffer.withUnsafeMutableBytes { $0[0] = 1 }
        #expect(buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
    }

    /// Large pictures get memory in another way than small ones; a row more than whole huge pages, too.
    @Test func largeImagesWorkToTheirLastByte() {
        let size = PixelSize(width: 2048, height: 1025)
        var buffer = PixelBuffer(uninitialized: size, isOpaque: true) {
            $0.initializeMemory(as: UInt8.self, repeating: 255)
        }
        let copy = buffer
        FilterChain([.invert(1)]).apply(to: &buffer)
        buffer.withUnsafeBytes { bytes in
            #expect(UInt(bitPattern: bytes.baseAddress) % 64 == 0)
            #expect(Array(bytes.prefix(4)) == [0, 0, 0, 255])
            #expect(Array(bytes.suffix(4)) == [0, 0, 0, 255])
        }
        #expect(copy.withUnsafeBytes { $0.last } == 255)
    }

    @Test func initializersPassErrorsOn() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try PixelBuffer(uninitialized: PixelSize(width: 2, height: 2), isOpaque: true) { _ in throw Failure() }
        }
    }

    @Test(arguments: [
        ("sepia(1)", true), ("sepia-tone(1)", true), ("opacity(1)", true), ("none", true),
        ("drop-shadow(2px 2px)", true), ("look(aden)", true), ("look(inkwell)", true), ("blur(0)", true),
        ("blur(1px)", false), ("opacity(.99)", false), ("invert(1) opacity(0) sepia(1)", false),
    ])
    func opacityIsTruthfulAfterFiltering(text: String, isOpaque: Bool) throws {
        let chain = try FilterChain(parsing: text)
        var generator = SeededRandom(seed: 2)
        var opaque = PixelBuffer.random(width: 5, height: 5, isOpaque: true, using: &generator)
        chain.apply(to: &opaque)
        #expect(opaque.isOpaque == isOpaque)
        #expect(opaque.pixels.allSatisfy { $0[3] == 255 } == isOpaque)
        var translucent = PixelBuffer.random(width: 5, height: 5, using: &generator)
        chain.apply(to: &translucent)
        #expect(!translucent.isOpaque)
    }

    @Test func colorFunctionsKeepAlpha() throws {
        let chain = try FilterChain(parsing: "contrast(2) sepia(.4) sepia-tone(.9)")
        var generator = SeededRandom(seed: 3)
        let before = PixelBuffer.random(width: 13, height: 7, using: &generator)
        var after = before
        chain.apply(to: &after)
        #expect(after.pixels.map { $0[3] } == before.pixels.map { $0[3] })
    }
}
