import Foundation
import ImageCodecs
import Pixels
import Testing

/// GIF whose frames do not cover all of it.
struct GIFCanvasTests {
    /// - Parameter bits: How many a colour's number has. The second colour is 40, 50, 60.
    private static func screen(_ width: Int, _ height: Int, bits: Int) -> [UInt8] {
        let table: [UInt8] = [10, 20, 30, 40, 50, 60] + [UInt8](repeating: 0, count: 3 << bits - 6)
        return Array("GIF89a".utf8) + number(width) + number(height) + [UInt8(0x7F + bits), 0, 0] + table
    }

    /// Pixels of the second colour, at a place.
    private static func frame(_ left: Int, _ top: Int, _ width: Int, _ height: Int, bits: Int) -> [UInt8] {
        let codes = max(2, bits)
        var (data, waiting, count): ([UInt8], Int, Int) = ([], 0, 0)
        func put(_ code: Int) {
            waiting |= code << count
            count += codes + 1
            while count >= 8 {
                data.append(UInt8(waiting & 0xFF))
                (waiting, count) = (waiting >> 8, count - 8)
            }
        }
        for _ in 0..<width * height {
            // The table of texts is empty again, so that codes stay as short.
            put(1 << codes)
            put(1)
        }
        put(1 << codes + 1)
        data.append(UInt8(waiting & 0xFF))
        let blocks = stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(data.count, start + 255)]
            return [UInt8(block.count)] + block
        }
        return [0x2C] + number(left) + number(top) + number(width) + number(height) + [0, UInt8(codes)] + blocks + [0]
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    /// What is said of the next frame.
    private static func control(disposal: UInt8 = 0, transparent: UInt8? = nil) -> [UInt8] {
        [0x21, 0xF9, 4, disposal << 2 | (transparent == nil ? 0 : 1), 10, 0, transparent ?? 0, 0]
    }

    private static let colour = [40, 50, 60, 255]
    private static let nothing = [0, 0, 0, 0]

    @Test(arguments: [1, 2, 4, 7, 8], [[], control()])
    func whatNoFrameCoversIsTransparent(bits: Int, control: [UInt8]) throws {
        let file = Data(Self.screen(9, 7, bits: bits) + control + Self.frame(3, 2, 4, 3, bits: bits) + [0x3B])
        let picture = try ImageDecoder.decode(file, longestSide: nil)
        #expect(picture.size == PixelSize(width: 9, height: 7))
        for y in 0..<7 {
            for x in 0..<9 {
                let isCovered = (3..<7).contains(x) && (2..<5).contains(y)
                #expect(TestImages.colour(picture, x, y) == (isCovered ? Self.colour : Self.nothing), "\(x) \(y)")
            }
        }
    }

    @Test func onlyWhereAFrameIsMissingAGIFMayBeTransparent() throws {
        let file = Self.screen(4, 3, bits: 8) + Self.frame(0, 0, 4, 3, bits: 8)
        #expect(try ImageDecoder.decode(Data(file + [0x3B]), longestSide: nil).isOpaque)
    }

    @Test(arguments: [1, 8], [[], control()])
    func soItIsInAnAnimation(bits: Int, control: [UInt8]) throws {
        let frames = [(1, 0, 1, 1), (0, 0, 1, 1)].flatMap { control + Self.frame($0.0, $0.1, $0.2, $0.3, bits: bits) }
        let animation = try Animation(Data(Self.screen(2, 1, bits: bits) + frames + [0x3B]), longestSide: nil)
        let first = try animation.frame(0).image
        #expect(TestImages.colour(first, 0, 0)[3] == 0)
        #expect(TestImages.colour(first, 1, 0) == Self.colour)
        #expect(TestImages.colour(try animation.frame(1).image, 0, 0) == Self.colour)
        #expect(TestImages.colour(try animation.frame(1).image, 1, 0) == Self.colour)
    }

    /// The place of a frame that is removed shows what is behind the picture, as in browsers.
    @Test(arguments: [UInt8(0), 1, 2, 3])
    func whatIsRemovedIsTransparent(disposal: UInt8) throws {
        let screen = Self.screen(3, 1, bits: 8)
        let file =
            screen + Self.frame(0, 0, 1, 1, bits: 8) + Self.control(disposal: disposal)
            + Self.frame(1, 0, 1, 1, bits: 8)
            + Self.frame(2, 0, 1, 1, bits: 8)
        let animation = try Animation(Data(file + [0x3B]), longestSide: nil)
        func alphas(_ index: Int) throws -> [Int] {
            let frame = try animation.frame(index).image
            return (0..<3).map { TestImages.colour(frame, $0, 0)[3] }
        }
        #expect(try alphas(0) == [255, 0, 0])
        #expect(try alphas(1) == [255, 255, 0])
        #expect(try alphas(2) == [255, disposal < 2 ? 255 : 0, 255])
    }

    /// Sizes that old programs wrote into every file, and which libnsgif does not believe.
    @Test(arguments: [(640, 480), (640, 512), (800, 600), (1_024, 768), (1_280, 1_024), (1_600, 1_200), (801, 600)])
    func theScreenIsThePicture(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let screen = Self.screen(width, height, bits: 4)
        let corner = Self.frame(width - 1, height - 2, 1, 2, bits: 4)
        for control in [[], Self.control(transparent: 9)] {
            let file = Data(screen + control + Self.frame(100, 90, 20, 10, bits: 4) + corner + [0x3B])
            #expect(try ImageDecoder.probe(file).size == size)
            let picture = try ImageDecoder.decode(file, longestSide: nil)
            #expect(picture.size == size)
            #expect(TestImages.colour(picture, 100, 90) == Self.colour)
            #expect(TestImages.colour(picture, 119, 99) == Self.colour)
            for (x, y) in [(0, 0), (99, 90), (120, 99), (width - 1, height - 1)] {
                #expect(TestImages.colour(picture, x, y)[3] == 0, "\(x) \(y)")
            }
            for isolation in [DecodeIsolation.standard, .nothing] {
                let animation = try Animation(file, longestSide: nil, limits: DecodeLimits(isolation: isolation))
                #expect(try animation.frame(0).image == picture)
                let second = try animation.frame(1).image
                #expect(second.size == size)
                #expect(TestImages.colour(second, 100, 90) == Self.colour)
                #expect(TestImages.colour(second, width - 1, height - 1) == Self.colour)
                #expect(TestImages.colour(second, width - 2, height - 1)[3] == 0)
            }
        }
    }

    /// A frame beyond the screen enlarges it, by the column that the screen is read with as well.
    @Test(arguments: [799, 800, 801, 850])
    func framesBeyondAnOldScreenCount(left: Int) throws {
        let file = Data(Self.screen(800, 600, bits: 4) + Self.frame(left, 0, 1, 1, bits: 4) + [0x3B])
        let picture = try ImageDecoder.decode(file, longestSide: nil)
        #expect(picture.size == PixelSize(width: left + 1, height: 600))
        #expect(TestImages.colour(picture, left, 0) == Self.colour)
        #expect(TestImages.colour(picture, left - 1, 0)[3] == 0)
    }

    /// libnsgif believes no larger screen.
    @Test(arguments: [(2_049, 9), (9, 3_000), (2_100, 2_100)])
    func aLargeScreenIsThePicture(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        for control in [[], Self.control(transparent: 9)] {
            let first = Self.screen(width, height, bits: 4) + control + Self.frame(2, 3, 4, 3, bits: 4)
            let second = control + Self.frame(width - 1, height - 1, 1, 1, bits: 4)
            for file in [first, first + second].map({ Data($0 + [0x3B]) }) {
                #expect(try ImageDecoder.probe(file).size == size)
                let picture = try ImageDecoder.decode(file, longestSide: nil)
                #expect(picture.size == size)
                #expect(TestImages.colour(picture, 5, 5) == Self.colour)
                for (x, y) in [(0, 0), (6, 5), (5, 6), (width - 1, height - 1)] {
                    #expect(TestImages.colour(picture, x, y)[3] == 0, "\(x) \(y)")
                }
                for isolation in [DecodeIsolation.standard, .nothing] {
                    let animation = try Animation(file, longestSide: nil, limits: DecodeLimits(isolation: isolation))
                    #expect(try animation.frame(0).image == picture)
                    guard animation.frameCount > 1 else { continue }
                    // Rather than without what lies beyond the first one.
                    #expect(throws: ImageCodecError.self) { try animation.frame(1) }
                    #expect(try animation.frame(0).image == picture)
                }
            }
        }
    }

    @Test func aLaterFrameEnlargesNoScreen() throws {
        let frames = Self.frame(0, 0, 9, 7, bits: 4) + Self.frame(8, 8, 20, 20, bits: 4)
        let file = Data(Self.screen(9, 7, bits: 4) + frames + [0x3B])
        let size = PixelSize(width: 9, height: 7)
        #expect(try ImageDecoder.probe(file).size == size)
        #expect(try ImageDecoder.decode(file, longestSide: nil).size == size)
        let animation = try Animation(file, longestSide: nil)
        #expect(try animation.frame(1).image.size == size)
    }
}
