import Foundation

/// The median of what one engine took for one shape.
struct Measurement: Codable {
    let shape: String
    let count: Int
    let engine: String
    let seconds: Double

    var nanosecondsEach: Double { seconds / Double(count) * 1e9 }
}

/// A shape of work, and the engines that run it.
struct Shape {
    let name: String
    let count: Int
    let rounds: Int
    let engines: [any Engine]
    let run: (any Engine) -> Void

    /// The engines take turns, so that a slow minute of the machine falls on all of them.
    func measure() -> [Measurement] {
        var times: [[Double]] = engines.map { _ in [] }
        let clock = ContinuousClock()
        for _ in 0..<rounds {
            for (index, engine) in engines.enumerated() {
                let time = clock.measure { run(engine) }
                times[index].append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
            }
        }
        return zip(engines, times).map { engine, times in
            Measurement(shape: name, count: count, engine: engine.name, seconds: times.sorted()[times.count / 2])
        }
    }
}

/// Resident memory of this process in bytes.
func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
