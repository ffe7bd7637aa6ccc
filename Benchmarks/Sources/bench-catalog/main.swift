// How long a catalog of a million rows takes to load, and how much memory, per format and with rows in a file, each in a process of
// its own.
// Writes build/bench/catalog.json.
import BenchSupport
import Catalogs
import Foundation

enum Shape: String, CaseIterable {
    case xml, json, array, csv, list, binary, openstep, shuffled

    /// Writes a catalog to a file, a piece at a time.
    func write(_ count: Int, to file: FileHandle) throws {
        func line(_ name: String, _ url: String, _ isLast: Bool) -> String {
            switch self {
            case .xml: "\t<key>\(name)</key>\n\t<string>\(url)</string>\n"
            case .json, .shuffled: "  \"\(name)\": \"\(url)\"\(isLast ? "" : ",")\n"
            case .array: "  {\"name\": \"\(name)\", \"url\": \"\(url)\"}\(isLast ? "" : ",")\n"
            case .csv: "\(name),\(url)\r\n"
            case .list: "\(url)\n"
            case .openstep: "  \"\(name)\" = \"\(url)\";\n"
            case .binary: ""
            }
        }
        let (head, tail) =
            switch self {
            case .xml:
                ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n", "</dict>\n</plist>\n")
            case .json, .openstep, .shuffled: ("{\n", "}\n")
            case .array: ("[\n", "]\n")
            case .csv: ("name,url\r\n", "")
            case .list, .binary: ("", "")
            }
        func name(_ index: Int) -> String { "Photograph \(index)" }
        func url(_ index: Int) -> String { "https://photos.example.org/albums/\(index / 1000)/picture-\(index).jpg" }
        if self == .binary {
            let pairs = (0..<count).map { (name($0), url($0)) }
            let value = Dictionary(uniqueKeysWithValues: pairs)
            try file.write(
                contentsOf: PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
            return
        }
        var text = head
        for position in 0..<count {
            // A step that has no factor in common with the count visits every row once.
            let index = self == .shuffled ? position * 7_368_787 % count : position
            text += line(name(index), url(index), position == count - 1)
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data((text + tail).utf8))
    }
}

/// The most memory that this process ever had resident, in bytes.
func peakResident() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
}

/// The processor time that this process has taken, in seconds.
func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}

/// Runs a step in a process of its own. Returns what it printed.
@discardableResult
func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return output
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "write":
    let path = arguments[2]
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    try Shape(rawValue: arguments[1])?.write(Int(arguments[3]) ?? 0, to: FileHandle(forWritingTo: URL(filePath: path)))
case "load":
    let before = peakResident()
    let processorBefore = processorSeconds()
    let clock = ContinuousClock()
    let start = clock.now
    let storage: Catalog.RowStorage = arguments.count > 3 ? .temporaryFile : .memory
    let catalog = try Catalog.load(contentsOf: arguments[2], keepingRowsIn: storage)
    let seconds = (clock.now - start) / .seconds(1)
    let processor = processorSeconds() - processorBefore
    let failures = stride(from: 0, to: catalog.count, by: 1_000).filter { catalog[$0].content.isFailure }
    let size = (try FileManager.default.attributesOfItem(atPath: arguments[2])[.size] as? Int) ?? 0
    let loading = Loading(
        shape: arguments[1] + (storage == .temporaryFile ? ", rows in a file" : ""), rows: catalog.count,
        fileBytes: size, seconds: seconds, processorSeconds: processor,
        peakBytes: peakResident(),
        peakBytesBefore: before, failures: failures.count)
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(loading))
default:
    let count = arguments.first ?? "1000000"
    var report = Report()
    for shape in Shape.allCases {
        let path = FileManager.default.temporaryDirectory.appending(path: "bench-catalog-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try run(["write", shape.rawValue, path, count])
        let isReadInPieces = [.csv, .list].contains(shape)
        for more in [[], ["stored"]] where more.isEmpty || isReadInPieces {
            let loading = try JSONDecoder().decode(Loading.self, from: run(["load", shape.rawValue, path] + more))
            print(loading.text)
            // A pipe gets each line when it is there, not all at the end.
            fflush(nil)
            report.loadings.append(loading)
        }
    }
    try writeReport(report, as: "catalog")
}

extension Result {
    var isFailure: Bool { if case .failure = self { true } else { false } }
}
