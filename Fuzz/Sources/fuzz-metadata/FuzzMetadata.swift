import Foundation
import ImageCodecs
import Pixels

private let pixel = PixelBuffer(uninitialized: PixelSize(width: 1, height: 1), isOpaque: true) { bytes in
    for index in 0..<4 { bytes[index] = 255 }
}

/// A JPEG without a picture that has this in a segment.
private func jpeg(_ name: String, _ body: Data) -> Data {
    let length = 2 + name.utf8.count + body.count
    return Data([0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8 & 255), UInt8(length & 255)]) + name.utf8 + body
}

/// The first byte says what follows: `e` EXIF, `x` XMP, and anything else a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAnyMetadata(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let bytes = Data(bytes: start + 1, count: count - 1)
    let file =
        switch start[0] {
        case UInt8(ascii: "e"): jpeg("Exif\0\0", bytes)
        case UInt8(ascii: "x"): jpeg("http://ns.adobe.com/xap/1.0/\0", bytes)
        default: bytes
        }
    guard let metadata = ImageMetadata(of: file) else { return 0 }
    precondition(
        metadata.exif?.count ?? 0 <= ImageMetadata.mostBytes && metadata.xmp?.count ?? 0 <= ImageMetadata.mostBytes)
    // What is written is what was read, and what a second reading finds.
    for format in [ImageEncoder.Format.jpeg, .png] {
        guard let written = try? ImageEncoder(format: format).encode(pixel, metadata: metadata) else {
            preconditionFailure("a pixel cannot be encoded")
        }
        precondition(ImageMetadata(of: written) == metadata)
    }
    return 0
}
