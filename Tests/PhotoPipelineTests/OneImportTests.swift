import Foundation
import PhotoPipeline
import XCTest

/// What a client can do without any other import; that this file compiles is the test.
final class OneImportTests: XCTestCase {
    func testAPictureIsMadeAndSaved() throws {
        var configuration = PhotoPipeline.Configuration()
        configuration.decodeLimits = DecodeLimits(maxPixels: 1_000_000, isolation: .everything)
        configuration.decoders = [Blank()]
        XCTAssertGreaterThanOrEqual(configuration.decodeWidth, 1)
        var encoder = ImageEncoder(format: .webp)
        encoder.isLossless = true
        let bytes = try encoder.encode(PixelBuffer(size: PixelSize(width: 8, height: 6)), metadata: ImageMetadata())
        XCTAssertEqual(ImageFormat(sniffing: bytes), .webp)
    }
}

/// Files that hold nothing.
private struct Blank: ImageDecoding {
    func size(of bytes: Data) throws(ImageCodecError) -> PixelSize? {
        bytes.starts(with: [0]) ? PixelSize(width: 80, height: 60) : nil
    }

    func decode(
        _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> PixelBuffer {
        PixelBuffer(
            size: options.resize?.size(of: PixelSize(width: 80, height: 60)) ?? PixelSize(width: 80, height: 60))
    }
}
