/// The option to take damaged pictures as far as they go.
enum DamageOptions {
    private static let name = "keep-damaged"

    /// - Parameter hasReport: Whether the command reports what became of each photo.
    static func add(to parser: inout OptionParser, hasReport: Bool) {
        parser.flag(
            name,
            hasReport
                ? "Take a JPEG with broken data, or that ends too early, as far as it goes; reports tell of it"
                : "Take a JPEG with broken data, or that ends too early, as far as it goes")
    }

    static func keepsDamaged(_ values: OptionValues) -> Bool { values.has(name) }
}
