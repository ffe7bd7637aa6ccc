import Foundation

/// Writes a report as `name`.json into build/bench, under the directory that the program runs in. Returns the path.
@discardableResult
package func writeReport(_ report: some Encodable, as name: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let path = "build/bench/\(name).json"
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(report).write(to: file, options: .atomic)
    return path
}
