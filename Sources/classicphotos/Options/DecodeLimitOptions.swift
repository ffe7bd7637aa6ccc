import ImageCodecs

/// What decoding may cost, and where it is done.
enum DecodeLimitOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("max-pixels", "N", "The largest picture (default: 100000000)")
        parser.value("max-frames", "N", "The longest animation; its first frame is used (default: 1000)")
        parser.flag("isolate", "Decode JPEG in helper processes, too, as all other kinds are")
    }

    static func limits(_ values: OptionValues) throws(UsageError) -> DecodeLimits {
        var limits = DecodeLimits(isolation: values.has("isolate") ? .everything : .standard)
        limits.maxPixels = try values.number("max-pixels", in: 1...4_000_000_000) ?? limits.maxPixels
        limits.maxFrames = try values.number("max-frames", in: 1...1_000_000) ?? limits.maxFrames
        return limits
    }
}
