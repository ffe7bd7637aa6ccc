import Foundation
import ImageCodecs
import Pixels
import Testing

/// Sizes of drawings, and borders that are covered as the drawing covers them.
struct SVGSizeTests {
    private static let red = "<rect width='100%' height='100%' fill='#f00'/>"

    private func drawing(_ attributes: String, _ content: String = red) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>"
    }

    private func draw(_ text: String, longestSide: Int? = nil, enlarges: Bool = false) throws -> PixelBuffer {
        try draw(Data(text.utf8), longestSide: longestSide, enlarges: enlarges)
    }

    private func draw(_ file: Data, longestSide: Int? = nil, enlarges: Bool = false) throws -> PixelBuffer {
        var options = DecodeOptions()
        if let longestSide {
            options.resize = Resize(.fit, width: longestSide, height: longestSide, enlarges: enlarges)
        }
        return try ImageDecoder.decodeWithInfo(file, options).pixels
    }

    private func check(_ image: PixelBuffer, _ width: Int, _ height: Int, _ message: String) {
        #expect(image.size == PixelSize(width: width, height: height), "\(message)")
        guard image.size == PixelSize(width: width, height: height) else { return }
        for (x, y) in [(0, height / 2), (width - 1, height / 2), (width / 2, 0), (width / 2, height - 1)] {
            #expect(TestImages.colour(image, x, y) == [255, 0, 0, 255], "\(message) at \(x), \(y)")
        }
    }

    @Test(arguments: [
        ("width='100' height='33.4'", 100, 33), ("width='200' height='99.5'", 200, 100),
        ("width='100.4' height='60.4'", 100, 60), ("width='1in' height='10mm'", 72, 28),
        ("width='100' height='33.4' viewBox='0 0 50 16.7' preserveAspectRatio='xMinYMin meet'", 100, 33),
        ("width='50' viewBox='0 0 30 20'", 50, 33), ("viewBox='0,0 100.3,50.2'", 100, 50),
        ("style='width:100px; height: 33.4px' width='7'", 100, 33), ("width='1.8em' height='1em'", 22, 12),
    ])
    func fractionsLeaveNoEmptyBorders(attributes: String, width: Int, height: Int) throws {
        check(try draw(drawing(attributes)), width, height, attributes)
        for side in [width / 2, 3 * width] {
            let image = try draw(drawing(attributes), longestSide: side, enlarges: true)
            #expect(image.size.width == side)
            check(image, side, image.size.height, "\(attributes) at \(side)")
        }
    }

    @Test(arguments: [
        ("", 300, 150), ("height='50'", 300, 50), ("width='50'", 50, 150), ("width='-20'", 300, 150),
        ("width='100%' height='20'", 300, 20), ("width='auto' height='2rem'", 300, 150), ("width='20 px'", 300, 150),
        ("style='width:20px;fill:red'", 20, 150),
        ("style='width:100%; height:100%' width='7'", 300, 150), ("width='.5IN' height='+1e1'", 36, 10),
    ])
    func whatIsNotGivenIsTheUsual(attributes: String, width: Int, height: Int) throws {
        let text = drawing(attributes)
        check(try draw(text), width, height, attributes)
        #expect(try ImageDecoder.probe(Data(text.utf8)).size == PixelSize(width: width, height: height))
        let circle = try draw(drawing(attributes, "<circle cx='50' cy='50' r='4'/>"))
        #expect(circle.size == PixelSize(width: width, height: height))
    }

    /// As browsers do: the coordinates are fitted into another ratio, and what is beside them is empty.
    @Test(arguments: [
        ("width='40' height='20' viewBox='0 0 20 20'", 40, 20), ("width='40' height='20' viewBox='0 0 30 20'", 40, 20),
        // A style sheet gives another size than the first element.
        ("viewBox='0 0 20 20'><style>svg { width: 40px; height: 20px }</style><g", 40, 20),
    ])
    func anotherRatioOfTheCoordinatesStays(attributes: String, width: Int, height: Int) throws {
        let isGroup = attributes.hasSuffix("<g")
        let image = try draw(drawing(attributes, Self.red + (isGroup ? "</g>" : "")))
        #expect(image.size == PixelSize(width: width, height: height))
        #expect(TestImages.colour(image, 0, 10)[3] == 0 && TestImages.colour(image, 20, 10) == [255, 0, 0, 255])
    }

    @Test func sizesOfStyleSheetsAndEntitiesCount() throws {
        check(
            try draw(drawing("", "<style>svg { width: 20px; height: 10px }</style>" + Self.red)), 20, 10, "style sheet")
        let text = "<!DOCTYPE svg [<!ENTITY w '20'>]>" + drawing("width='&w;' height='10'")
        check(try draw(text), 20, 10, "entity")
        #expect(throws: ImageCodecError.self) { try draw(drawing("width='0' height='10'")) }
        #expect(throws: ImageCodecError.self) { try draw("<svg xmlns='http://www.w3.org/2000/svg' width='10") }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func wideCharactersAreRead(encoding: String.Encoding) throws {
        let text = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><!-- é \u{3C3C} --><!DOCTYPE svg>"
        for (attributes, width, height) in [
            ("width='20' height='10'", 20, 10), ("height='50.3'", 300, 50), ("style='width:20px'", 20, 150),
        ] {
            let file = try #require((text + drawing(attributes)).data(using: encoding))
            #expect(ImageFormat(sniffing: file) == .svg)
            check(try draw(file), width, height, "\(encoding) \(attributes)")
        }
    }

    @Test(arguments: [
        "[<!ENTITY a ']>'>]", "[<!ENTITY a \"]>\">]", "[<!-- it's -->]", "[<?a it's ]> ?>]", "SYSTEM ']>' [ ]",
    ])
    func documentTypesMayHoldAnythingInQuotationMarks(type: String) throws {
        check(try draw("<!DOCTYPE svg \(type)>" + drawing("width='20' height='10'")), 20, 10, type)
    }
}
