public import Pixels

/// What is wanted of a decoder.
public struct DecodeOptions: Hashable, Sendable {
    /// How large the picture becomes; nil, the default, for as large as it is.
    public var resize: Resize?

    /// Whether `DecodedImage.metadata` is read. Default: it is not.
    public var keepsMetadata: Bool

    /// What is wanted. Each parameter is the property of its name, and has that property's default.
    public init(resize: Resize? = nil, keepsMetadata: Bool = false) {
        self.resize = resize
        self.keepsMetadata = keepsMetadata
    }
}
