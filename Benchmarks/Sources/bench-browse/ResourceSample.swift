import CHeap
import Foundation
import Glibc

/// What this process takes of the machine at a moment.
struct ResourceSample: Codable {
    let seconds: Double
    let residentMegabytes: Double
    /// What is really in use of malloc's heaps; the rest of them is unused, and goes up and down.
    let heapMegabytes: Double
    let descriptors: Int
    let threads: Int
    /// Filtered pictures that were on screen so far, how many different ones, and what the list keeps of pictures.
    let shown: Int
    let distinct: Int
    let imageMegabytes: Double

    init(seconds: Double, shown: Int, distinct: Int, imageMegabytes: Double) {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        func names(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        residentMegabytes = Double(pages * sysconf(Int32(_SC_PAGESIZE))) / 1e6
        heapMegabytes = Double(cheap_in_use()) / 1e6
        descriptors = names("/proc/self/fd")
        threads = names("/proc/self/task")
        self.seconds = seconds
        self.shown = shown
        self.distinct = distinct
        self.imageMegabytes = imageMegabytes
    }
}
