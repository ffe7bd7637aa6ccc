import PhotoPipeline

/// A filter with a name.
struct Look {
    let name: String
    let filter: FilterChain

    /// What the menu offers; the first is the default.
    static let all = [
        Look(name: "Classic", filter: .classic),
        Look(name: "Original", filter: .none),
        Look(name: "Black and White", filter: FilterChain([.grayscale(1)])),
        Look(name: "Vivid", filter: FilterChain([.saturate(1.5), .contrast(1.1)])),
        Look(name: "Faded", filter: FilterChain([.saturate(0.6), .brightness(1.1), .contrast(0.85)])),
    ]
}
