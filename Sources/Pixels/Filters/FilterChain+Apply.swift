extension FilterChain {
    /// Filters a whole picture in place, on the calling thread or those that it lends.
    ///
    /// Lengths in the chain (`blur()`, `drop-shadow()`) are pixels of the full picture, after orientation. A picture
    /// that was decoded at a reduced size, or is shown smaller, is filtered with the ratio as `scale`, so that it looks
    /// like the full picture filtered and then made smaller: `blur(8px)` at a scale of 0.25 blurs by 2 pixels.
    ///
    /// Colour functions keep alpha; `opacity()` below 1 and `blur()` end `isOpaque`. Functions of colour that follow
    /// each other are one pass over the pixels, all others are a pass each, or two. Everything happens in the
    /// picture's own memory except for: two lines of `blur()`, some hundred bytes for each row; the alpha of
    /// `drop-shadow()`, a quarter of the picture and a border as wide as the blur; and, where a chain has several of
    /// these and a later one brings back what an earlier one spread beyond the borders, one copy of the picture with
    /// margins. A margin is never wider than the picture, or 512 pixels if that is more. Where all this is more than 32 MB and
    /// twice the picture, the picture is copied and filtered in parts, with the same result.
    ///
    /// - Parameters:
    ///   - image: The picture to change.
    ///   - scale: The width of `image` over the width of the full picture, by default 1. What is not above 0 counts
    ///     as 0: all lengths are 0.
    ///   - parallelism: Who works on rows of pictures of two megapixels and more at the same time; by default nobody
    ///     but the calling thread. The result is the same.
    ///   - isCancelled: Asked on the calling thread about once for each megapixel and pass (for as many as are worked on
    ///     at a time); true stops the filtering.
    /// - Returns: false if it was cancelled, or if there was no memory for it. The picture is then worthless: parts of it are
    ///   filtered.
    @discardableResult
    public func apply(
        to image: inout PixelBuffer, scale: Double = 1, parallelism: RowParallelism = .none,
        isCancelled: () -> Bool = { false }
    ) -> Bool {
        do throws(FilterStop) {
            try filter(&image, scale: scale, parallelism: parallelism, isCancelled: isCancelled)
            return true
        } catch {
            return false
        }
    }

    /// As ``apply(to:scale:parallelism:isCancelled:)``, and says why there is no result.
    package func filter(
        _ image: inout PixelBuffer, scale: Double = 1, parallelism: RowParallelism = .none,
        isCancelled: () -> Bool = { false }
    ) throws(FilterStop) {
        let stop = withoutActuallyEscaping(isCancelled) { isCancelled -> FilterStop? in
            var meter = WorkMeter(isCancelled: isCancelled)
            if FilterPlan(functions, scale: scale).run(on: &image, parallelism: parallelism, meter: &meter) {
                return nil
            }
            return meter.lacksMemory ? .lacksMemory : .cancelled
        }
        if let stop { throw stop }
    }

    /// The bytes that filtering a picture of this size takes besides the picture, at most.
    ///
    /// - Parameter threads: How many may work on it at the same time.
    package func workingBytes(for size: PixelSize, scale: Double, threads: Int) -> Int {
        FilterLayout(FilterPlan(functions, scale: scale), of: size, threads: threads).byteCount
    }

    /// Whether there are functions that look around, and so take memory of their own.
    package var looksAround: Bool {
        functions.contains { function in
            switch function {
            case .blur, .dropShadow: true
            default: false
            }
        }
    }
}

/// Why a picture was not filtered.
package enum FilterStop: Error {
    case cancelled
    case lacksMemory
}
