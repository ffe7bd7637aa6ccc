public import Pixels

/// What is wanted of a decoder.
public struct DecodeOptions: Hashable, Sendable {
    /// How large the picture becomes; nil, the default, for as large as it is.
    public var resize: Resize?

    /// Whether `DecodedImage.metadata` is read. Default: it is not.
    public var keepsMetadata: Bool
    /// Whether a JPEG whose data is broken, or ends too early, is decoded as far as that goes; ``DecodedImage/damage`` then says
    /// what is wrong. Otherwise it is `damaged`, as broken files of other kinds always are. Default: it is not.
    public var toleratesDamage: Bool

    /// What is wanted. Each parameter is the property of its name, and has that property's default.
    public init(resize: Resize? = nil, keepsMetadata: Bool = false, toleratesDamage: Bool = false) {
        self.resize = resize
        self.toleratesDamage = toleratesDamage
        self.keepsMetadata = keepsMetadata
    }
}
