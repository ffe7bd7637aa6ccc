import BenchSupport
import Foundation

/// What loading one catalog took.
struct Loading: Codable {
    let shape: String
    let rows: Int
    let fileBytes: Int
    let seconds: Double
    let processorSeconds: Double
    let peakBytes: Int
    let peakBytesBefore: Int
    /// Of a sample of the rows.
    let failures: Int

    var text: String {
        String(
            format: "%@ rows=%d file=%.0fMB seconds=%.2f processor=%.2f peak=%.0fMB (%.0fMB before) failures=%d",
            shape.padding(toLength: 22, withPad: " ", startingAt: 0), rows, Double(fileBytes) / 1e6, seconds,
            processorSeconds,
            Double(peakBytes) / 1e6, Double(peakBytesBefore) / 1e6, failures)
    }
}

/// All that a run found.
struct Report: Codable {
    var date = Date()
    var machine = Machine()
    var loadings: [Loading] = []
}
