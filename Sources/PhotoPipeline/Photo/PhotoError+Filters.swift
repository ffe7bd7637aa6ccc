package import Pixels

extension PhotoError {
    /// Why a filter has made no picture; nil where it was cancelled.
    ///
    /// - Parameters:
    ///   - stop: What the filter says.
    ///   - filter: What it is called.
    ///   - size: How large the picture is.
    package init?(_ stop: FilterStop, _ filter: some CustomStringConvertible, of size: PixelSize) {
        switch stop {
        case .cancelled: return nil
        case .lacksMemory:
            self.init(.memoryLimit, "There is no memory for \(filter) of a picture of \(size) pixels.")
        }
    }
}
