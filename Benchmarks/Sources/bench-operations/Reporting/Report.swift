import BenchSupport
import COneTBB
import Foundation

/// All that a run found.
struct Report: Codable {
    let date: Date
    let isQuick: Bool
    let machine: Machine
    var oneTBB = String(cString: onetbb_version())
    let seconds: Double
    /// The share of the machine's processor time that went to others meanwhile; nil where the kernel does not tell.
    let shareOfOthers: Double?
    let measurements: [Measurement]
    let growth: [Growth]
    let goals: [Goal]
}
