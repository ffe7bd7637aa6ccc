import PhotoDevelopment
import Wording

/// The options that leave pictures out by their size.
enum BoundsOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("min-size", "PIXELS", "Leave out smaller pictures: both sides, or a box as in 300x200")
        parser.value(
            "max-aspect", "RATIO", "Leave out pictures whose longer side is more than so often the shorter one")
    }

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        if let text = values.text("min-size") {
            guard let box = ResizeOptions.box(text) else {
                throw UsageError("--min-size takes pixels or a box as in 300x200, not \(text.printable)")
            }
            (options.bounds.minWidth, options.bounds.minHeight) = (box.width, box.height)
        }
        if let text = values.text("max-aspect") {
            guard let ratio = Double(text), (1...10_000).contains(ratio) else {
                throw UsageError("--max-aspect takes a number from 1 to 10000, not \(text.printable)")
            }
            options.bounds.maxAspect = ratio
        }
    }
}
