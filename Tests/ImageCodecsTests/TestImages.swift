import CVips
import Foundation
import ImageCodecs
import Pixels

/// Pictures made by arithmetic, so that no file needs to be kept.
enum TestImages {
    /// A smooth picture whose four corners differ: red grows to the right, green downwards, blue is highest left.
    static func gradient(_ width: Int, _ height: Int, alpha: (Int, Int) -> UInt8 = { _, _ in 255 }) -> PixelBuffer {
        var opaque = true
        let buffer = PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: false) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let at = 4 * (y * width + x)
                    bytes[at] = UInt8(x * 255 / max(1, width - 1))
                    bytes[at + 1] = UInt8(y * 255 / max(1, height - 1))
                    bytes[at + 2] = UInt8((width - 1 - x) * 200 / max(1, width - 1))
                    bytes[at + 3] = alpha(x, y)
                    opaque = opaque && bytes[at + 3] == 255
                }
            }
        }
        guard opaque else { return buffer }
        return PixelBuffer(uninitialized: buffer.size, isOpaque: true) { bytes in
            buffer.withUnsafeBytes { bytes.copyMemory(from: $0) }
        }
    }

    static func solid(_ width: Int, _ height: Int, _ colour: [UInt8]) -> PixelBuffer {
        PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: colour[3] == 255) { bytes in
            for index in bytes.indices { bytes[index] = colour[index % 4] }
        }
    }

    /// A JPEG with an EXIF orientation, put in behind the start marker.
    static func jpeg(_ buffer: PixelBuffer, orientation: UInt8) throws -> Data {
        try turned(ImageEncoder(format: .jpeg, quality: 95).encode(buffer), orientation: orientation)
    }

    static func turned(_ plain: Data, orientation: UInt8) throws -> Data {
        let exif =
            [UInt8]("Exif\0\0II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            + [0, 0, 0, 0]
        let length = exif.count + 2
        return plain.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif) + plain.dropFirst(2)
    }

    static func colour(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
        buffer.withUnsafeBytes { bytes in (0..<4).map { Int(bytes[4 * (y * buffer.size.width + x) + $0]) } }
    }

    /// The mean difference of all channels, in steps of 8 bits.
    static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
        guard a.size == b.size else { return .infinity }
        return a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
            }
        }
    }
}

/// One thing seldom right in a test, told in words.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
}

/// A picture in libvips, to make files of every kind with. Operations are called by name, as its language bindings do.
struct TestVipsImage: ~Copyable {
    let image: UnsafeMutablePointer<VipsImage>

    init(owning image: UnsafeMutablePointer<VipsImage>) {
        self.image = image
    }

    /// A copy of bytes; `format` may be 16 bits.
    init(
        _ bytes: [UInt8], _ width: Int, _ height: Int, bands: Int, format: VipsBandFormat = VIPS_FORMAT_UCHAR,
        kind: VipsInterpretation = VIPS_INTERPRETATION_sRGB
    ) throws {
        Self.prepare()
        guard
            let made = vips_image_new_from_memory_copy(
                bytes, bytes.count, Int32(width), Int32(height), Int32(bands), format)
        else { throw TestFailure(description: "no picture") }
        made.pointee.Type = kind
        image = made
    }

    init(_ buffer: PixelBuffer, bands: Int = 4) throws {
        let all = try TestVipsImage(
            buffer.withUnsafeBytes { Array($0) }, buffer.size.width, buffer.size.height, bands: 4)
        self = bands == 4 ? all : try all.with("extract_band", ["band": "0", "n": "\(bands)"])
    }

    deinit { g_object_unref(image) }

    /// Lets the library start libvips in its way, and then allows the untrusted JPEG XL writer for tests.
    private static func prepare() {
        // In this process: a helper that reads the size would start its own only.
        let drawing = Data("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>".utf8)
        _ = try? ImageDecoder.probe(drawing, limits: DecodeLimits(isolation: .nothing))
        vips_operation_block_set("VipsForeignSaveJxl", 0)
    }

    func set(_ name: String, _ value: Int) { vips_image_set_int(image, name, Int32(value)) }
    func set(_ name: String, _ values: [Int]) {
        let numbers = values.map { Int32($0) }
        vips_image_set_array_int(image, name, numbers, Int32(numbers.count))
    }

    /// The same picture with a profile embedded.
    func with(profile: [UInt8]) throws -> TestVipsImage {
        let copy = try with("copy")
        vips_image_set_blob_copy(copy.image, VIPS_META_ICC_NAME, profile, profile.count)
        return copy
    }

    private func built(_ name: String, _ options: [String: String]) throws -> UnsafeMutablePointer<VipsOperation> {
        guard var operation = vips_operation_new(name) else {
            throw TestFailure(description: "no operation \(name): \(String(cString: vips_error_buffer()))")
        }
        var value = GValue()
        g_value_init(&value, vips_image_get_type())
        g_value_set_object(&value, image)
        operation.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_set_property($0, "in", &value) }
        g_value_unset(&value)
        for (key, text) in options {
            let status = operation.withMemoryRebound(to: VipsObject.self, capacity: 1) {
                vips_object_set_argument_from_string($0, key, text)
            }
            guard status == 0 else { throw TestFailure(description: "\(name) has no \(key)") }
        }
        guard let made = vips_cache_operation_build(operation) else {
            g_object_unref(operation)
            // Other tests' messages stand there as well: the last line is most likely this one's.
            throw TestFailure(description: "\(name): \(String(cString: vips_error_buffer()))")
        }
        g_object_unref(operation)
        operation = made
        return operation
    }

    /// The file that a saver such as `tiffsave_buffer` makes.
    func file(_ saver: String, _ options: [String: String] = [:]) throws -> Data {
        let operation = try built(saver, options)
        defer { g_object_unref(operation) }
        defer {
            operation.withMemoryRebound(to: VipsObject.self, capacity: 1) { vips_object_unref_outputs($0) }
        }
        var value = GValue()
        g_value_init(&value, vips_blob_get_type())
        defer { g_value_unset(&value) }
        operation.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_get_property($0, "buffer", &value) }
        var count = 0
        guard let bytes = vips_value_get_blob(&value, &count) else { throw TestFailure(description: "no bytes") }
        return Data(bytes: bytes, count: count)
    }

    func with(_ name: String, _ options: [String: String] = [:]) throws -> TestVipsImage {
        let operation = try built(name, options)
        defer { g_object_unref(operation) }
        var value = GValue()
        g_value_init(&value, vips_image_get_type())
        defer { g_value_unset(&value) }
        operation.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_get_property($0, "out", &value) }
        defer {
            operation.withMemoryRebound(to: VipsObject.self, capacity: 1) { vips_object_unref_outputs($0) }
        }
        guard let object = g_value_dup_object(&value) else { throw TestFailure(description: "no result") }
        return TestVipsImage(owning: object.assumingMemoryBound(to: VipsImage.self))
    }
}
