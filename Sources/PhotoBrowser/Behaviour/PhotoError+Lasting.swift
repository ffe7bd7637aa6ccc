public import PhotoPipeline

extension PhotoError {
    /// Whether another attempt ends the same: the catalog's entry is at fault, and not a server or a file.
    public var isLasting: Bool { reason == .invalidEntry || reason == .invalidAddress }
}
