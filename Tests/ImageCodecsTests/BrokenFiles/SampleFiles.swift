import CVips
import Foundation
import ImageCodecs
import Pixels

/// Sound files of every kind in as many shapes as matter to a decoder; broken ones are made of them.
enum SampleFiles {
    static func all() throws -> [(format: ImageFormat, files: [Data])] {
        let image = TestImages.gradient(64, 48)
        let clear = TestImages.gradient(40, 30) { x, y in UInt8((x * 6 + y) & 255) }
        func file(_ saver: String, _ options: [String: String] = [:], bands: Int = 3) throws -> Data {
            try TestVipsImage(bands == 4 ? clear : image, bands: bands).file(saver, options)
        }
        return [
            (
                .jpeg,
                [
                    try file("jpegsave_buffer"), try file("jpegsave_buffer", ["interlace": "true"]),
                    try file("jpegsave_buffer", ["subsample-mode": "off"]), try file("jpegsave_buffer", bands: 1),
                    try TestImages.jpeg(image, orientation: 6), try inks("jpegsave_buffer"),
                    try inks("jpegsave_buffer", ["interlace": "true"]), try withProfile("jpegsave_buffer"),
                ]
            ),
            (
                .png,
                [
                    try file("pngsave_buffer"), try file("pngsave_buffer", ["interlace": "true"], bands: 4),
                    try file("pngsave_buffer", ["palette": "true"]), try file("pngsave_buffer", ["bitdepth": "1"]),
                    try file("pngsave_buffer", bands: 1), try deep("pngsave_buffer"), try withProfile("pngsave_buffer"),
                    animated(try file("pngsave_buffer", bands: 4)),
                ]
            ),
            (
                .webp,
                [
                    try file("webpsave_buffer"), try file("webpsave_buffer", ["lossless": "true"], bands: 4),
                    try file("webpsave_buffer", bands: 4), try animation("webpsave_buffer"),
                    try withProfile("webpsave_buffer"),
                ]
            ),
            (
                .gif,
                [
                    try file("gifsave_buffer"), try file("gifsave_buffer", bands: 4),
                    try file("gifsave_buffer", ["interlace": "true"]), try animation("gifsave_buffer"),
                ]
            ),
            (
                .tiff,
                [
                    try file("tiffsave_buffer"), try file("tiffsave_buffer", ["compression": "lzw"], bands: 4),
                    try file("tiffsave_buffer", ["compression": "deflate", "predictor": "horizontal"]),
                    try file("tiffsave_buffer", ["compression": "jpeg", "tile": "true", "pyramid": "true"]),
                    try file("tiffsave_buffer", ["compression": "packbits", "bigtiff": "true"]),
                    try file("tiffsave_buffer", ["bitdepth": "1", "compression": "ccittfax4"], bands: 1),
                    try deep("tiffsave_buffer"), try inks("tiffsave_buffer"), try animation("tiffsave_buffer"),
                ]
            ),
            (.heif, [try file("heifsave_buffer"), try withProfile("heifsave_buffer")]),
            (
                .avif,
                [
                    try file("heifsave_buffer", ["compression": "av1"], bands: 4),
                    try file("heifsave_buffer", ["compression": "av1", "lossless": "true"]),
                ]
            ),
            (
                .jxl,
                [
                    try file("jxlsave_buffer"), try file("jxlsave_buffer", ["lossless": "true"], bands: 4),
                    try deep("jxlsave_buffer"),
                ]
            ),
            (.svg, [try FormatTests.file(.svg), drawing]),
        ]
    }

    /// Ten frames in one tall picture, as libvips wants them.
    static func animation(_ saver: String, frames: Int = 10) throws -> Data {
        let image = try TestVipsImage(TestImages.gradient(24, 16 * frames), bands: 3)
        image.set("page-height", 16)
        return try image.file(saver)
    }

    /// A PNG played twice over: two frames, of which the first is the picture that everybody shows.
    private static func animated(_ still: Data) -> Data {
        let chunks = FileMutator.chunks([UInt8](still), .png)
        func bodies(_ name: String) -> [UInt8] {
            chunks.filter { $0.dropFirst(4).starts(with: name.utf8) }.flatMap { $0.dropFirst(8).dropLast(4) }
        }
        let size = bodies("IHDR").prefix(8)
        func control(_ number: Int) -> Data {
            // At the origin, for a tenth of a second, over what was there.
            PNGFile.chunk(
                "fcTL", PNGFile.bigEndian(number) + size + [UInt8](repeating: 0, count: 8) + [0, 1, 0, 10, 0, 1])
        }
        return still.prefix(33) + PNGFile.chunk("acTL", PNGFile.bigEndian(2) + PNGFile.bigEndian(2)) + control(0)
            + PNGFile.chunk("IDAT", bodies("IDAT")) + control(1)
            + PNGFile.chunk("fdAT", PNGFile.bigEndian(2) + bodies("IDAT")) + PNGFile.chunk("IEND", [])
    }

    private static func inks(_ saver: String, _ options: [String: String] = [:]) throws -> Data {
        try TestVipsImage(TestImages.gradient(40, 30), bands: 3).with(
            "icc_transform", ["output-profile": "cmyk", "input-profile": "srgb"]
        ).file(saver, options)
    }

    private static func withProfile(_ saver: String) throws -> Data {
        try TestVipsImage(TestImages.gradient(40, 30), bands: 3).with(
            "icc_transform", ["output-profile": "p3", "input-profile": "srgb"]
        ).file(saver)
    }

    private static func deep(_ saver: String) throws -> Data {
        let bytes = (0..<40 * 30 * 6).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        return try TestVipsImage(
            bytes, 40, 30, bands: 3, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_RGB16
        ).file(saver)
    }

    private static let drawing = Data(
        """
        <?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'
        viewBox='0 0 80 60' width='8cm' height='60%'><defs><linearGradient id='g'><stop offset='10%' stop-color='red'/>
        <stop offset='1' stop-color='#00f8'/></linearGradient><filter id='b'><feGaussianBlur stdDeviation='2'/></filter>
        <mask id='m'><circle cx='20' cy='20' r='18' fill='#fff'/></mask></defs><g transform='rotate(10 20 20)'
        filter='url(#b)'><path d='M1 2C3 4 5 6 7 8A9 9 0 0 1 30 40Z' fill='url(#g)' stroke-width='2'/></g>
        <g id='t' mask='url(#m)'><text x='5' y='30' font-size='9'>Text &amp; more</text></g><use xlink:href='#t' x='9'/>
        <image width='9' height='9' href='data:image/png;base64,iVBORw0KGgo='/></svg>
        """.utf8)
}
