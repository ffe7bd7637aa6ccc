import PhotoDevelopment
import Wording

/// The options that say what a run does where an earlier one has begun.
enum ResumptionOptions {
    static func add(to parser: inout OptionParser) {
        parser.flag("fresh", "Begin anew where an earlier run has begun; files stay until they are replaced")
        parser.optionalValue(
            "only-failed", "WHY", "Take only the photos that failed, for these reasons of a report (default: any)")
        parser.flag(
            "skip-existing", "Leave photos alone whose file is there already, in a folder that no run has begun in")
    }

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        options.skipExisting = values.has("skip-existing")
        guard let words = values.text("only-failed") else {
            if values.has("fresh") { options.resumption = .fresh }
            return
        }
        for other in ["fresh", "skip-existing"] where values.has(other) {
            throw UsageError("--only-failed and --\(other) cannot be given together")
        }
        options.resumption = .onlyFailed(try FailureReasons.failures(words, of: "only-failed"))
    }
}
