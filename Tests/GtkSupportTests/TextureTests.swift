import CGtk
import GtkSupport
import Pixels
import XCTest

final class TextureTests: GtkTestCase {
    func testATextureHasThePicturesPixels() throws {
        try MainActor.assumeIsolated {
            // Alpha 0, 128 and 255: what comes back is premultiplied and in the order of cairo, blue first.
            var image = PixelBuffer(size: PixelSize(width: 3, height: 2))
            let pixels: [UInt8] = [
                255, 0, 0, 255, 0, 255, 0, 128, 9, 8, 7, 0,
                1, 2, 3, 255, 250, 251, 252, 255, 100, 150, 200, 255,
            ]
            image.withUnsafeMutableBytes { $0.copyBytes(from: pixels) }
            let texture = try XCTUnwrap(ObjectReference(textureOf: image))
            XCTAssertEqual(gdk_texture_get_width(texture.pointer), 3)
            XCTAssertEqual(gdk_texture_get_height(texture.pointer), 2)
            // It shares the picture's memory, and keeps it as it is.
            image.withUnsafeMutableBytes { $0.copyBytes(from: pixels.reversed()) }
            var bytes = [UInt8](repeating: 1, count: 24)
            gdk_texture_download(texture.pointer, &bytes, 12)
            XCTAssertEqual(
                bytes,
                [
                    0, 0, 255, 255, 0, 128, 0, 128, 0, 0, 0, 0,
                    3, 2, 1, 255, 252, 251, 250, 255, 200, 150, 100, 255,
                ])
        }
    }

    func testAPictureWithoutPixelsHasNoTexture() {
        MainActor.assumeIsolated {
            XCTAssertNil(ObjectReference(textureOf: PixelBuffer(size: PixelSize(width: 0, height: 4))))
        }
    }
}
