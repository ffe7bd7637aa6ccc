public import Pixels

extension ProcessingChain {
    /// Functions of CSS, of which only so much shows, see `FilterChain.applied(to:intensity:scale:parallelism:isCancelled:)`.
    ///
    /// - Parameters:
    ///   - filter: The filter at full strength.
    ///   - intensity: How much of it shows, from 0 (nothing is done) to 1 (all of it).
    public init(_ filter: FilterChain, intensity: Double) {
        switch FilterChain.weight(of: intensity) {
        case _ where filter.functions.isEmpty, 0: self = .none
        case FilterChain.fullWeight: self.init(filter)
        case let weight: self = [.processor(PartialFilter(filter: filter, weight: weight))]
        }
    }
}

/// A filter of which only a part shows.
struct PartialFilter: ImageProcessing {
    let filter: FilterChain
    /// How many parts of 256 are the filter's.
    let weight: Int

    var cacheKey: String { "\(weight)/\(FilterChain.fullWeight) \(filter)" }

    func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
        let intensity = Double(weight) / Double(FilterChain.fullWeight)
        do throws(FilterStop) {
            return try filter.filtered(
                image, intensity: intensity, scale: context.scale, isCancelled: { context.isCancelled })
        } catch {
            if error == .lacksMemory { throw error }
            throw CancellationError()
        }
    }

    /// The bytes that it takes besides a picture of this size, at most: the filter's, and a copy of the picture for the filter to
    /// change.
    func workingBytes(for size: PixelSize, scale: Double) -> Int {
        let filter = filter.workingBytes(for: size, scale: scale, threads: 1)
        return filter + 4 * size.width * size.height
    }
}
