/// The beginning of a body, and what is needed to ask for the rest.
struct PartialBody: Sendable {
    /// Which address sent it, as libcurl reads it.
    var address: String
    /// Whether it is for whoever asked alone, so that it is written nowhere.
    var isSecret = false
    /// What proves that the rest belongs to it.
    var validator: StrongValidator
    /// The length of the whole, if it is known.
    var total: Int?
    /// The bytes.
    var body: BodyStore
}
