import Foundation
import Testing

@testable import Pixels

struct MachineProcessorsTests {
    private func count(_ files: [String: String]) throws -> Int {
        let root = FileManager.default.temporaryDirectory.appending(path: "classicphotos-root-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return MachineProcessors.available(root: root.path)
    }

    private func unified(_ text: String) throws -> Int {
        try count(["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": text])
    }

    @Test func theQuotaOfAGroupCountsRoundedUp() throws {
        let machine = try count([:])
        #expect(machine == ProcessInfo.processInfo.activeProcessorCount)
        #expect(try unified("100000 100000\n") == 1)
        #expect(try unified("20000 100000\n") == 1)
        #expect(try unified("100001 100000\n") == min(2, machine))
        #expect(try unified("150000 100000\n") == min(2, machine))
        #expect(try unified("99900000 100000\n") == machine)
        for text in ["max 100000\n", "", "nonsense", "-1 100000", "0 100000", "1e999 1", "100000 0", "nan nan", "5"] {
            #expect(try unified(text) == machine, "\(text)")
        }
    }

    @Test func theLowestQuotaOfAllGroupsCountsOfEitherVersion() throws {
        #expect(
            try count([
                "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
                "sys/fs/cgroup/a/cpu.max": "50000 100000\n",
            ]) == 1)
        #expect(
            try count([
                "proc/self/cgroup": "5:memory:/x\n4:cpu,cpuacct:/c\n",
                "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us": "80000\n", "sys/fs/cgroup/cpu/c/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            ]) == 1)
        // A group that is not seen from inside a container: its own limit is at the root.
        #expect(try count(["proc/self/cgroup": "0::/docker/1\n", "sys/fs/cgroup/cpu.max": "30000 100000\n"]) == 1)
    }
}
