import Foundation

/// How busy the machine is, by us and by others, so that a report can tell whether it was disturbed.
struct ProcessorTime {
    /// Seconds, summed over the processors, since the machine started: those that passed, and those not idle.
    private var passed = 0.0
    private var busy = 0.0
    /// Of this process and those of its children that have ended.
    private var own = 0.0

    init() {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
        // user, nice, system, idle, iowait, irq, softirq, steal; what follows is in user and nice already.
        let fields = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard fields.count == 8 else { return }
        passed = fields.reduce(0, +) / tick
        busy = passed - (fields[3] + fields[4]) / tick
        for who in [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue] {
            var usage = rusage()
            getrusage(who, &usage)
            for time in [usage.ru_utime, usage.ru_stime] {
                own += Double(time.tv_sec) + Double(time.tv_usec) / 1e6
            }
        }
    }

    /// What part of the processors' time others had since then; nil where the kernel does not tell.
    func shareOfOthers(since start: ProcessorTime) -> Double? {
        guard passed > start.passed else { return nil }
        return max(0, (busy - start.busy) - (own - start.own)) / (passed - start.passed)
    }
}
