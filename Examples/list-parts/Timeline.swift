import Foundation
public import Operations

/// Ends a trace, and writes it where the program's first argument says: `swift run list-3-dependencies trace.json`.
///
/// `Scripts/trace-picture` draws such a file; Perfetto opens it.
public func writeTimeline(_ trace: OperationTrace) throws {
    trace.stop()
    guard let path = CommandLine.arguments.dropFirst().first else { return }
    try trace.chromeTrace().write(to: URL(filePath: path))
}
