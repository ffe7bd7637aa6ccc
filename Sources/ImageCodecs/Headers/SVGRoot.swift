internal import Pixels

/// What the first element of an SVG says about the drawing's size.
///
/// Values that are not understood, as those with entities, leave the drawing as it is.
struct SVGRoot {
    private let text: XMLText
    private let endOfName: Int
    /// Where the values stand that count here, by the names of their attributes.
    private let values: [String: Range<Int>]
    private let sides: [Side]
    /// The values of its style, which count before the attributes.
    private let styles: [String: String]
    private let viewBox: ViewBox?

    private static let names: Set = ["width", "height", "viewBox", "preserveAspectRatio", "style"]
    /// CSS's size of what says nothing of its own.
    private static let usual = [("width", 300), ("height", 150)]

    /// The width or the height.
    fileprivate enum Side: Equatable {
        /// It is not given, is a part of a page's, or is no length that librsvg knows.
        case missing
        /// In pixels, at 72 to the inch.
        case pixels(Double)
        /// In letters.
        case other
    }

    /// The size of the coordinates that the drawing fills.
    private struct ViewBox {
        let width: Double
        let height: Double

        init?(_ text: String) {
            let numbers = text.split { ", \t\r\n".contains($0) }.map { Double($0) ?? .nan }
            guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
            (width, height) = (numbers[2], numbers[3])
        }
    }

    init?(_ reader: ByteReader) {
        let sniffer = SVGSniffer(reader: reader)
        guard let endOfName = sniffer.endOfName, let values = Self.values(in: sniffer.text, from: endOfName) else {
            return nil
        }
        let text = sniffer.text
        guard !values.values.contains(where: { $0.contains { text[$0] == UInt8(ascii: "&") } }) else { return nil }
        let styles = values["style"].map { Self.declarations(text.text($0)) } ?? [:]
        self.styles = styles
        sides = Self.usual.map { name, _ in Side((styles[name] ?? values[name].map(text.text)) ?? "") }
        viewBox = values["viewBox"].flatMap { ViewBox(text.text($0)) }
        (self.text, self.endOfName, self.values) = (text, endOfName, values)
    }

    /// The file with a whole size where it gives none, and so that it fills its size when that is rounded; nil where nothing is
    /// changed.
    ///
    /// libvips takes the extent of what is drawn for the size that is missing. And it rounds the sides, upon which librsvg fits the
    /// drawing by its ratio and leaves two borders partly empty.
    var settled: [UInt8]? {
        guard values["viewBox"] == nil || viewBox != nil else { return nil }
        var changes: [(place: Range<Int>, text: String)] = []
        func set(_ name: String, _ value: String) {
            let place = values[name]
            changes.append((place ?? endOfName..<endOfName, place == nil ? " \(name)=\"\(value)\"" : value))
        }
        if viewBox == nil {
            for ((name, usual), side) in zip(Self.usual, sides) where side == .missing {
                if styles[name] != nil, let style = values["style"] {
                    changes.append((style.upperBound..<style.upperBound, ";\(name):\(usual)px"))
                } else {
                    set(name, String(usual))
                }
            }
        }
        if hasOwnRatio { set("preserveAspectRatio", "none") }
        changes.sort { $0.place.lowerBound < $1.place.lowerBound }
        return changes.isEmpty ? nil : text.replacing(changes)
    }

    /// Whether the size has the ratio of the coordinates but for what is lost when numbers are written with few digits.
    private var hasOwnRatio: Bool {
        guard let viewBox else { return true }
        if case .pixels(let width) = sides[0], case .pixels(let height) = sides[1] {
            let (one, other) = (width * viewBox.height, height * viewBox.width)
            return abs(one - other) <= 0.001 * max(one, other)
        }
        return !sides.contains(.other)
    }

    /// Whether a rounded size can be that of the coordinates' ratio. A style sheet can say otherwise than the first element.
    func agrees(with size: PixelSize) -> Bool {
        guard let viewBox else { return true }
        let (width, height) = (Double(size.width), Double(size.height))
        let most = 1.001
        return viewBox.width * (height - 0.5) <= viewBox.height * (width + 0.5) * most
            && viewBox.height * (width - 0.5) <= viewBox.width * (height + 0.5) * most
    }

    /// Whether a side is more than so many pixels. A drawing that gives no side has those of its coordinates.
    func hasSide(longerThan most: Double) -> Bool {
        var lengths = sides.compactMap { if case .pixels(let length) = $0 { length } else { nil } }
        if sides == [.missing, .missing], let viewBox { lengths = [viewBox.width, viewBox.height] }
        return lengths.contains { $0 > most }
    }

    /// Where the values of the attributes stand, between their quotation marks; nil where it is no XML.
    private static func values(in text: XMLText, from start: Int) -> [String: Range<Int>]? {
        var values: [String: Range<Int>] = [:]
        var at = start
        func skipSpace() {
            while text.isSpace(at: at) { at += 1 }
        }
        while true {
            skipSpace()
            guard let byte = text[at] else { return nil }
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return values }
            let nameStart = at
            while let byte = text[at], !text.isSpace(at: at), byte != UInt8(ascii: "=") {
                guard !"<>\"'/".utf8.contains(byte) else { return nil }
                at += 1
            }
            let name = nameStart..<at
            skipSpace()
            guard text[at] == UInt8(ascii: "=") else { return nil }
            at += 1
            skipSpace()
            guard let mark = text[at], mark == 0x22 || mark == 0x27 else { return nil }
            let valueStart = at + 1
            at = valueStart
            while let byte = text[at], byte != mark { at += 1 }
            if name.count <= 20, names.contains(text.text(name)) { values[text.text(name)] = valueStart..<at }
            // Behind the quotation mark; at the end of the file there is no further character.
            at += 1
        }
    }

    /// The values of a style, by their names.
    private static func declarations(_ style: String) -> [String: String] {
        var values: [String: String] = [:]
        for declaration in style.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { values[String(parts[0]).trimmed] = String(parts[1]).trimmed }
        }
        return values
    }
}

extension SVGRoot.Side {
    /// Pixels in a unit. libvips draws at 72 to the inch.
    private static let units = [
        "": 1, "px": 1, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4, "pt": 1, "pc": 12,
    ]

    fileprivate init(_ text: String) {
        let text = text.trimmed.lowercased()
        let unit = text.reversed().prefix { $0.isLetter || $0 == "%" }
        let number = text.dropLast(unit.count)
        guard number.allSatisfy({ "+-.0123456789e".contains($0) }), number.last != ".", let value = Double(number),
            value >= 0
        else {
            self = .missing
            return
        }
        let name = String(unit.reversed())
        self =
            if let size = Self.units[name], value.isFinite {
                .pixels(value * size)
            } else if name == "em" || name == "ex" || !value.isFinite {
                .other
            } else {
                .missing
            }
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace = { (character: Character) in " \t\r\n".contains(character) }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
