import Foundation
import ImageCodecs
import Pixels
import Testing

/// GIF whose first frame does not cover all of it.
struct GIFCanvasTests {
    private static let screen: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 10, 20, 30, 40, 50, 60]
    /// One pixel of the second colour, at a place.
    private static func frame(_ left: UInt8) -> [UInt8] {
        [0x2C, left, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
    }

    private static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]

    @Test(arguments: [[], control])
    func whatNoFrameCoversIsTransparent(control: [UInt8]) throws {
        let file = Data(Self.screen + control + Self.frame(1) + [0x3B])
        let picture = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestImages.colour(picture, 0, 0)[3] == 0)
        #expect(TestImages.colour(picture, 1, 0) == [40, 50, 60, 255])
    }

    @Test(arguments: [[], control])
    func soItIsInAnAnimation(control: [UInt8]) throws {
        let file = Data(Self.screen + control + Self.frame(1) + control + Self.frame(0) + [0x3B])
        let animation = try Animation(file, longestSide: nil)
        let first = try animation.frame(0).image
        #expect(TestImages.colour(first, 0, 0)[3] == 0)
        #expect(TestImages.colour(first, 1, 0) == [40, 50, 60, 255])
        #expect(TestImages.colour(try animation.frame(1).image, 0, 0) == [40, 50, 60, 255])
    }
}
