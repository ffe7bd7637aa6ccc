import Foundation
import Testing

@testable import PhotoPipeline

@Suite struct MachineMemoryTests {
    private func limit(_ files: [String: String]) throws -> Int {
        let root = FileManager.default.temporaryDirectory.appending(path: "classicphotos-root-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return MachineMemory.available(root: root.path)
    }

    @Test("The lowest limit of the control groups counts, of either version")
    func groups() throws {
        let machine = try limit([:])
        #expect(machine > 0 && machine == MachineMemory.available(root: "/nowhere"))
        #expect(
            try limit([
                "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
                "sys/fs/cgroup/a/memory.max": "1000000\n",
            ]) == 1_000_000)
        #expect(
            try limit([
                "proc/self/cgroup": "5:cpu:/x\n4:memory:/c\n",
                "sys/fs/cgroup/memory/c/memory.limit_in_bytes": "2000000\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            ]) == 2_000_000)
        #expect(try limit(["proc/self/cgroup": "nonsense\n::\n"]) == machine)
    }
}
