internal import FoundationEssentials

/// How many processors this process may use.
package enum MachineProcessors {
    /// Found out once; at least 1.
    package static let count = available()

    /// The processors that the process may run on, or as many as the quotas of its control groups come to, rounded up: two
    /// threads share a quota of one and a half better than one uses it.
    /// - Parameter root: Where the file system begins; another place for tests.
    static func available(root: String = "") -> Int {
        let machine = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let quotas = ControlGroups(of: "cpu", root: root).folders.compactMap(quota)
        guard let least = quotas.min(), least < Double(machine) else { return machine }
        return max(1, Int(least.rounded(.up)))
    }

    /// Processors, with a fraction; nil for a group that has no quota.
    private static func quota(of folder: ControlGroups.Folder) -> Double? {
        let numbers: [Double?]
        if folder.isUnified {
            // "150000 100000": microseconds of each period's; or "max 100000".
            numbers = folder.text(of: "cpu.max")?.split(whereSeparator: \.isWhitespace).map { Double($0) } ?? []
        } else {
            numbers = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map { file in
                folder.text(of: file)?.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
            }
        }
        guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else {
            return nil
        }
        return time / period
    }
}
