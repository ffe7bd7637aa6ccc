import Operations
import Pixels

extension ProcessingStep {
    /// Does the step, on the calling thread.
    ///
    /// - Parameters:
    ///   - image: Changed in place where nobody else has it.
    ///   - scale: How large the decoded picture is beside the published one.
    ///   - parallelism: Who helps a filter with a large picture. Default: nobody.
    ///   - maxPixels: How large a processor's picture may be.
    ///   - operation: Whose cancelling ends the step.
    /// - Returns: nil where it was cancelled.
    func apply(
        to image: consuming PixelBuffer, scale: Double, parallelism: RowParallelism = .none, maxPixels: Int,
        in operation: Operation
    ) throws(PhotoError) -> PixelBuffer? {
        switch self {
        case .filter(let filter):
            var image = consume image
            do throws(FilterStop) {
                try filter.filter(
                    &image, scale: scale, parallelism: parallelism, isCancelled: { operation.isCancelled })
            } catch {
                if let error = PhotoError(error, self, of: image.size) { throw error }
                return nil
            }
            return operation.isCancelled ? nil : image
        case .processor(let processor):
            guard !operation.isCancelled else { return nil }
            // A processor may keep what it is told.
            let context = ProcessingContext(scale: scale) { [weak operation] in operation?.isCancelled ?? true }
            let made: PixelBuffer
            let size = image.size
            do {
                made = try processor.process(consume image, context)
            } catch {
                guard !operation.isCancelled else { return nil }
                if let stop = error as? FilterStop, let error = PhotoError(stop, self, of: size) { throw error }
                throw PhotoError(.processorFailed, "\(self) failed: \(error)")
            }
            guard !operation.isCancelled else { return nil }
            try check(made.size, maxPixels: maxPixels)
            return made
        }
    }

    private func check(_ size: PixelSize, maxPixels: Int) throws(PhotoError) {
        guard !size.isEmpty else { throw PhotoError(.processorFailed, "\(self) made a picture without pixels.") }
        // It is in memory, so that its pixels can be counted.
        guard size.width * size.height <= maxPixels else {
            throw PhotoError(
                .tooManyPixels, "\(self) made a picture of \(size) pixels; the limit is \(maxPixels) pixels in all.")
        }
    }
}

extension ProcessingStep {
    /// Whether it is one of ours that may need much memory besides the picture.
    var mayNeedRoom: Bool {
        switch self {
        case .filter(let filter): filter.looksAround
        case .processor(let processor): processor is PartialFilter
        }
    }

    /// The bytes that the step takes besides a picture of this size, at most; of a processor of one's own nobody knows it.
    func workingBytes(for size: PixelSize, scale: Double, threads: Int) -> Int {
        switch self {
        case .filter(let filter): filter.workingBytes(for: size, scale: scale, threads: threads)
        case .processor(let processor):
            (processor as? PartialFilter)?.workingBytes(for: size, scale: scale) ?? 0
        }
    }

    /// What an operation that does it is called.
    var stageName: String {
        switch self {
        case .filter: "Filter"
        case .processor: "Process"
        }
    }
}
