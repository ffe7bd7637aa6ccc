import PhotoDevelopment
import Wording

/// `classicphotos report`: what a run has made of its catalog so far.
enum ReportCommand {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos report", arguments: "DIR",
            summary: """
                Writes what has become of each photo that develop was to write into the folder DIR, in the catalog's order.

                It may be asked while a run goes on, after its end, and after it was killed.
                """,
            details: """
                csv has a line of names, and then a row a photo: name, url, status (filtered or failed), error, detail, file,
                bytes and milliseconds. json is JSON Lines: an object a line, with the same names, and null where a photo has
                no such value. html is a page that a browser opens without a server: totals, why photos failed, hosts, a list
                to search, small pictures of the first photos before and after, and links to the results. With -o the links
                are relative, so that the page and the folder can be moved together. Its list holds 100,000 photos, those that
                failed first; where there are more it says so.

                Photos that have not come to their end are in none of them; how many there are is said on standard error.

                DIR may be a folder that can only be read, as of a disk image, if its last run has come to its end.

                Exit status: 0 written, 2 wrong usage, or no run has begun in DIR, 4 the report cannot be written, or what
                the run remembers cannot be read.

                Examples:
                  classicphotos report pictures
                  classicphotos report pictures --format json | jq -r 'select(.error == "timeout").url'
                  classicphotos report pictures -o report.csv
                  classicphotos report pictures -o pictures.html && xdg-open pictures.html
                """)
        parser.value("format", "FORM", "csv, json or html (default: as FILE ends, otherwise csv)")
        parser.value("output", short: "o", "FILE", "The file, written whole or not at all (default: standard output)")
        return parser
    }()

    static func run(arguments: [String]) -> ExitStatus {
        let (folder, output, format): (String, String?, DevelopmentReport.Format)
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            guard let first = values.arguments.first else { throw UsageError("of which run? DIR is its output folder") }
            guard values.arguments.count == 1 else {
                throw UsageError("one folder at a time; \(values.arguments[1].printable) is one too many")
            }
            if values.text("output") == "" { throw UsageError("--output needs the path of a file") }
            folder = first
            output = values.text("output").flatMap { $0 == "-" ? nil : $0 }
            format = try Self.format(values, output: output)
        } catch {
            return Console.usageError(error, command: "report")
        }
        do throws(DevelopmentError) {
            let report = try DevelopmentReport(of: folder)
            if let output {
                try report.write(format, to: output)
            } else {
                // Where standard output takes no more, whoever ends the program tells of it, and gives the status.
                try report.write(format) { Console.output($0) }
            }
            let (rows, unfinished) = (report.totals.rows, report.totals.unfinished)
            if unfinished > 0 {
                Console.problem("\(unfinished) of \(rows) photos have not come to their end")
            }
            return .success
        } catch {
            Console.problem(error)
            return ExitStatus(error)
        }
    }

    private static func format(
        _ values: OptionValues, output: String?
    ) throws(UsageError) -> DevelopmentReport.Format {
        guard let name = values.text("format") else {
            return switch output?.split(separator: ".").last?.lowercased() {
            case "json", "jsonl": .json
            case "html", "htm": .html
            default: .csv
            }
        }
        if let format = DevelopmentReport.Format(rawValue: name.lowercased()) { return format }
        let names = DevelopmentReport.Format.allCases.map(\.rawValue)
        throw UsageError(noFormat: name, among: names)
    }
}
