import BenchServers
import Foundation
import Glibc

// Downloads from nginx on loopback: requests a second and CPU time of this process, ours beside raw libcurl and
// URLSession. Rounds are interleaved, so that whatever else the machine does hits all alike; medians are printed.
//
//     bench-transfers [--rounds N] [--only NAME] [--bytes N] [--count N] [--server URL] [--json FILE]
//
// Some contenders (NAME, NAME), one size and a server that runs already are for profilers: it has to have `/N.jpg` of N bytes.

struct Options {
    var rounds = 5
    var only: [String]?
    var bytes: Int?
    var count: Int?
    var server: URL?
    var json = "build/bench/transfers.json"

    init(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let option = rest.popFirst(), let value = rest.popFirst() {
            switch option {
            case "--rounds": rounds = max(1, Int(value) ?? rounds)
            case "--only": only = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            case "--bytes": bytes = Int(value)
            case "--count": count = Int(value)
            case "--server": server = URL(string: value)
            case "--json": json = value
            default: break
            }
        }
    }
}

struct Sample {
    var requestsPerSecond: Double
    var microsecondsOfCPU: Double
}

func cpuSeconds() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return Double(seconds) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

func measure(_ contender: Contender, _ url: URL, count: Int, width: Int, bytes: Int) throws -> Sample {
    let cpu = cpuSeconds()
    var received = 0
    let time = try ContinuousClock().measure { received = try contender.download(url, count, width) }
    guard received == count * bytes else { throw BenchError(description: "\(contender.name): \(received) bytes") }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    return Sample(
        requestsPerSecond: Double(count) / seconds, microsecondsOfCPU: (cpuSeconds() - cpu) * 1e6 / Double(count))
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let options = Options(CommandLine.arguments)
let width = 16
let sizes =
    options.bytes.map { [(bytes: $0, count: options.count ?? 6_000)] }
    ?? [(bytes: 20_000, count: options.count ?? 6_000), (bytes: 200_000, count: options.count ?? 2_000)]
let folder = FileManager.default.temporaryDirectory.appending(path: "bench-transfers-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let server = options.server == nil ? try NginxServer(root: folder) : nil
defer { server?.stop() }

var report: [[String: Any]] = []
for (bytes, count) in sizes {
    try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: folder.appending(path: "\(bytes).jpg"))
    let path = "/\(bytes).jpg"
    guard let url = server?.url(path) ?? options.server?.appending(path: path) else { break }
    let contenders = Contender.all.filter { options.only?.contains($0.name) ?? true }
    var samples: [String: [Sample]] = [:]
    for round in 0...options.rounds {
        for contender in contenders {
            // URLSession is so much slower that fewer requests say as much.
            let count = contender.name == "URLSession" ? count / 5 : count
            let sample = try measure(contender, url, count: count, width: width, bytes: bytes)
            // The first round only warms up.
            if round > 0 { samples[contender.name, default: []].append(sample) }
        }
    }
    print("\(bytes) bytes, \(width) connections, median of \(options.rounds) rounds")
    let ours = samples["ours", default: []].map(\.requestsPerSecond)
    for contender in contenders {
        let rates = samples[contender.name, default: []].map(\.requestsPerSecond)
        let rate = median(rates)
        // Compared round by round: what else the machine did in a round slowed both down.
        let ratio = ours.isEmpty ? 0 : median(zip(ours, rates).map { $0 / $1 })
        let cpu = median(samples[contender.name, default: []].map(\.microsecondsOfCPU))
        let name = contender.name.padding(toLength: 18, withPad: " ", startingAt: 0)
        print(
            "  \(name) \(Int(rate)) requests/s, \(Int(cpu)) us CPU each, ours is \((ratio * 100).rounded() / 100) x"
        )
        report.append([
            "bytes": bytes, "connections": width, "contender": contender.name, "requestsPerSecond": rate,
            "microsecondsOfCPU": cpu, "oursRelative": ratio,
        ])
    }
}
let json = try JSONSerialization.data(withJSONObject: report, options: [.prettyPrinted, .sortedKeys])
let file = URL(filePath: options.json)
try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
try json.write(to: file)
