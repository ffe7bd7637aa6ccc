import Foundation

/// What happened at a server of tests, for threads to count in and tests to wait for.
typealias ServerLog = Guarded<ServerEntries>

struct ServerEntries {
    var requests: [String: Int] = [:]
    var answers: [String: Int] = [:]
    var confirmed: [String: Int] = [:]
    var peerCloses: [String: Int] = [:]
    var bodies: [String: Served] = [:]
    var uploads: [String: Data] = [:]
    var scripts: [String: FaultScript] = [:]
    var heads: [String: [String]] = [:]
    var open: Set<Int32> = []
    var accepted = 0
    var peakOpen = 0
    var threads = 0
    var isStopping = false
    var isGateOpen = false

    struct Served {
        var body: Data
        var headers: [String: String]
    }
}
