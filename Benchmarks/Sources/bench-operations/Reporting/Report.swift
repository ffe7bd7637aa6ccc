import Foundation

/// All that a run found, as written to build/bench/operations.json.
struct Report: Codable {
    let date: Date
    let isQuick: Bool
    let machine: Machine
    let seconds: Double
    /// The share of the machine's processor time that went to others meanwhile; nil where the kernel does not tell.
    let shareOfOthers: Double?
    let measurements: [Measurement]
    let growth: [Growth]
    let goals: [Goal]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(self).write(to: file, options: .atomic)
    }
}
