import PhotoPipeline

/// A processor that does what a closure says.
struct Processor: ImageProcessing {
    let cacheKey: String
    let work: @Sendable (consuming PixelBuffer, ProcessingContext) throws -> PixelBuffer

    init(
        _ cacheKey: String, work: @escaping @Sendable (consuming PixelBuffer, ProcessingContext) throws -> PixelBuffer
    ) {
        self.cacheKey = cacheKey
        self.work = work
    }

    func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
        try work(consume image, context)
    }

    /// Adds to every channel but alpha.
    static func adding(_ amount: UInt8, key: String? = nil, note: @escaping @Sendable () -> Void = {}) -> Processor {
        Processor(key ?? "add \(amount)") { image, _ in
            note()
            var image = image
            image.withUnsafeMutableBytes(keepsOpacity: true) { bytes in
                for index in bytes.indices where index % 4 != 3 { bytes[index] &+= amount }
            }
            return image
        }
    }

    /// Gives a picture of one size, whatever it gets.
    static func sized(_ width: Int, _ height: Int) -> Processor {
        Processor("\(width) x \(height)") { _, _ in PixelBuffer(size: PixelSize(width: width, height: height)) }
    }
}
