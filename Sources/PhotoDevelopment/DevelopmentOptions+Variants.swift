public import ImageCodecs
public import PhotoPipeline

extension DevelopmentOptions {
    /// One of several pictures that are made of each photo: a size of its own, a filter of its own, a format of its own.
    ///
    /// Its name says where its results are: in a folder of that name, or in a data set in members called `KEY.NAME.jpg`.
    public struct Variant: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// What is done to each picture. Default: the classic sepia.
        public var filter: FilterChain
        /// How much of the filter shows, see ``DevelopmentOptions/intensity``. Default: 1.
        public var intensity = 1.0
        /// How large the pictures become; nil for as large as they are. Default: a longest side of 1024 pixels.
        public var resize: Resize?
        /// The format of the pictures, with its quality. Default: JPEG of quality 85.
        public var encoder: ImageEncoder

        /// A name that no variant can have, with a sentence that says which ones can.
        public struct NameError: Error, CustomStringConvertible, Sendable {
            let name: String

            public var description: String {
                if Variant.reserved.contains(name.lowercased()) {
                    return "\(name) cannot be a variant's name, as it means something else; take another word"
                }
                return "a variant's name is a word of at most \(Variant.longestName) letters (a to z), digits, - and _ "
                    + "that begins with a letter or digit, such as thumb, not \(name.isEmpty ? "nothing" : name)"
            }
        }

        /// The words that are not names: what data sets say of a photo ends in the one, and the other is what reports and
        /// recipes say where there are no variants.
        private static let reserved: Set<String> = ["json", "none"]
        private static let longestName = 64

        /// A variant of every photo.
        ///
        /// - Parameters:
        ///   - name: At most 64 letters (a to z and A to Z), digits, `-` and `_`, the first one a letter or digit; not `json`
        ///     nor `none`.
        ///   - filter: See ``filter``.
        ///   - resize: See ``resize``.
        ///   - encoder: See ``encoder``.
        /// - Throws: `NameError` for a name that is none.
        public init(
            _ name: String, filter: FilterChain = .classic, resize: Resize? = .longestSide(1024),
            encoder: ImageEncoder = ImageEncoder(format: .jpeg)
        ) throws(NameError) {
            let isWord = name.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
            guard isWord, let first = name.utf8.first, Self.isLetterOrDigit(first), name.utf8.count <= Self.longestName,
                !Self.reserved.contains(name.lowercased())
            else { throw NameError(name: name) }
            (self.name, self.filter, self.resize, self.encoder) = (name, filter, resize, encoder)
        }

        private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
    }

    /// The names of ``variants``.
    var variantNames: [String] { variants.map(\.name) }

    /// Variants must not get into each other's way. Package, as the command line says it before it reads a catalog.
    package func checkVariants() throws(DevelopmentError) {
        if keepsOriginals, !variants.isEmpty {
            throw .variantsUnusable(reason: "photos are written as they came, and variants are made of them")
        }
        var names: Set<String> = []
        // Some file systems, and the Python package webdataset, do not tell small letters from capitals.
        for name in variantNames where !names.insert(name.lowercased()).inserted {
            throw .variantsUnusable(
                reason: "two of them are called \(name), capitals or not; each needs a name of its own")
        }
    }
}
