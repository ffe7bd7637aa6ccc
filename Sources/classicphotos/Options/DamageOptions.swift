/// The option to take damaged pictures as far as they go.
enum DamageOptions {
    private static let name = "keep-damaged"

    static func add(to parser: inout OptionParser) {
        parser.flag(name, "Take a JPEG with broken data, or that ends too early, as far as it goes; reports tell of it")
    }

    static func keepsDamaged(_ values: OptionValues) -> Bool { values.has(name) }
}
