import Foundation
import Pixels
import Testing

/// A picture that `Scripts/chromium-oracle` or `Scripts/chromium-photographs` made or recorded.
struct RecordedImage {
    let kind: String
    let name: String
    let image: PixelBuffer

    /// Those of a resource.
    static func all(_ resource: String = "chromium-pictures") throws -> [RecordedImage] {
        try all(in: #require(Bundle.module.url(forResource: "Resources/\(resource)", withExtension: "bin")))
    }

    static func all(in url: URL) throws -> [RecordedImage] {
        var rest = try Data(contentsOf: url)[...]
        var result: [RecordedImage] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\t").map(String.init)
            try #require(fields.count == 4)
            let size = PixelSize(width: try #require(Int(fields[2])), height: try #require(Int(fields[3])))
            let bytes = rest[(end + 1)...].prefix(size.width * size.height * 4)
            try #require(bytes.count == size.width * size.height * 4)
            let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[bytes.startIndex + $0] == 255 }
            let image = PixelBuffer(uninitialized: size, isOpaque: isOpaque) { $0.copyBytes(from: bytes) }
            result.append(RecordedImage(kind: fields[0], name: fields[1], image: image))
            rest = rest[bytes.endIndex...]
        }
        return result
    }
}

/// How far two pictures are apart in levels, as painted: a translucent pixel's colour counts by its alpha.
struct ImageDifference: CustomStringConvertible {
    private(set) var greatest = 0.0
    private(set) var mean = 0.0

    init(_ a: PixelBuffer, _ b: PixelBuffer) {
        func painted(_ pixel: [UInt8]) -> [Double] {
            pixel[0..<3].map { (Double($0) * Double(pixel[3]) / 255).rounded() } + [Double(pixel[3])]
        }
        var sum = 0.0
        for (a, b) in zip(a.pixels, b.pixels) {
            for (a, b) in zip(painted(a), painted(b)) {
                greatest = max(greatest, abs(a - b))
                sum += abs(a - b)
            }
        }
        mean = sum / Double(max(1, a.byteCount))
    }

    var description: String { "at most \(greatest), on average \(mean)" }
}
