import CScaledJPEG
import Foundation
import ImageCodecs
import Pixels

// Thumbnails of 256 pixels from JPEG photographs of 2.5 megapixels, per second of processor time.
// bench-codecs [ROUNDS], or bench-codecs isolation [ROUNDS] for that part; run from the repository's root. Every contender is a process of its own that handles all
// files in one call on one thread, in rounds that take turns, so that a slow minute of the machine hits all.

let side = 256
let photographs = "/usr/share/backgrounds/mate/nature"
let work = URL(fileURLWithPath: "build/bench/codecs")
let copies = 6

/// The contenders that are this program itself.
func runContender(_ name: String, _ files: [String]) throws {
    for file in files {
        let url = URL(fileURLWithPath: file)
        let data = try Data(contentsOf: url)
        switch name {
        case "thumbnail":
            let image = try ImageDecoder.decode(data, longestSide: side)
            let small = try ImageEncoder(format: .jpeg, quality: 75).encode(image)
            try small.write(to: work.appendingPathComponent("ours/\(url.lastPathComponent)"))
        case "decode":
            _ = try ImageDecoder.decode(data, longestSide: side)
        default:
            let sum = data.withUnsafeBytes { bytes in
                scaled_jpeg_decode(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, UInt32(side))
            }
            guard sum >= 0 else { throw CocoaError(.fileReadCorruptFile) }
        }
    }
}

func makePhotographs() throws -> [String] {
    let manager = FileManager.default
    for name in ["in", "ours", "vips", "pillow"] {
        try manager.createDirectory(at: work.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    var files: [String] = []
    for name in try manager.contentsOfDirectory(atPath: photographs).sorted() where name.hasSuffix(".jpg") {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(photographs)/\(name)"))
        let size = try ImageDecoder.probe(data).size
        guard size.width * size.height >= 2_400_000 else { continue }
        let scale = min(1, (2_500_000 / Double(size.width * size.height)).squareRoot())
        let image = try ImageDecoder.decode(data, longestSide: Int(Double(max(size.width, size.height)) * scale))
        let jpeg = try ImageEncoder(format: .jpeg, quality: 88).encode(image)
        for copy in 0..<copies {
            let url = work.appendingPathComponent("in/\(name.dropLast(4))-\(copy).jpg")
            try jpeg.write(to: url)
            files.append(url.path)
        }
    }
    return files
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

func compare(rounds: Int) throws {
    let files = try makePhotographs()
    guard !files.isEmpty else {
        print("bench-codecs: no photographs in \(photographs) (Debian: apt install mate-backgrounds)")
        exit(1)
    }
    let me = CommandLine.arguments[0]
    var contenders: [(name: String, arguments: [String], environment: [String: String])] = [
        ("ours", [me, "thumbnail"] + files, [:]),
        ("ours, decode only", [me, "decode"] + files, [:]),
        ("libjpeg-turbo's scaled decode alone", [me, "floor"] + files, [:]),
        (
            "vipsthumbnail",
            ["vipsthumbnail", "--size", "\(side)x\(side)", "-o", work.path + "/vips/%s.jpg[Q=75]"] + files,
            ["VIPS_CONCURRENCY": "1"]
        ),
    ]
    if let python = Children.line("Benchmarks/peers/pillow") {
        let script = "Benchmarks/peers/pillow_thumbnails.py"
        contenders.append(("Pillow, draft mode", [python, script, work.path + "/pillow", "\(side)"] + files, [:]))
    }
    var times: [String: [Double]] = [:]
    for round in 0...rounds {
        for contender in contenders {
            guard let time = Children.processorTime(contender.arguments, environment: contender.environment) else {
                print("bench-codecs: \(contender.name) failed")
                continue
            }
            // The first round warms the file cache.
            if round > 0 { times[contender.name, default: []].append(time) }
        }
    }
    let rates = times.mapValues { Double(files.count) / median($0) }
    guard let ours = rates["ours"] else { return }
    print("\(files.count) photographs of 2.5 megapixels to \(side) px, \(rounds) rounds, processor time")
    for (name, _, _) in contenders {
        guard let rate = rates[name] else { continue }
        print(
            String(
                format: "%7.1f a second  %6.2f ms each  ours is %.2f times  %@", rate, 1_000 / rate, ours / rate, name))
    }
    let gifs = try HelperCost.measure()
    for (name, time) in gifs.sorted(by: { $0.key < $1.key }) {
        print(String(format: "%7.0f microseconds for a GIF of 64 x 64, %@", time, name))
    }
    let costs = try compareIsolation(rounds: rounds)
    let report: [String: Any] = [
        "microsecondsForAGIF": gifs,
        "isolation": try JSONSerialization.jsonObject(with: JSONEncoder().encode(costs)),
        "files": files.count, "rounds": rounds, "side": side, "perProcessorSecond": rates,
        "oursToEach": rates.mapValues { ours / $0 }, "seconds": times,
    ]
    let json = try JSONSerialization.data(withJSONObject: report, options: [.prettyPrinted, .sortedKeys])
    try json.write(to: URL(fileURLWithPath: "build/bench/codecs.json"))
}

/// JPEG in helper processes beside JPEG in this one.
@discardableResult
func compareIsolation(rounds: Int) throws -> [IsolationCost.Cost] {
    let photograph = try Data(contentsOf: URL(fileURLWithPath: "\(photographs)/Dune.jpg"))
    let costs = try IsolationCost.measure(photograph, rounds: rounds)
    print("JPEG in this process / in a helper process: by the clock, processor time, a second on all processors")
    for cost in costs {
        print(
            String(
                format: "%6.2f / %6.2f ms  %6.2f / %6.2f ms  %6.1f / %6.1f pictures  %@ to %d px", cost.inProgram,
                cost.inHelper, cost.processorInProgram, cost.processorInHelper, cost.rateInProgram,
                cost.rateInHelper, cost.photograph, cost.side))
    }
    return costs
}

let arguments = CommandLine.arguments.dropFirst()
if let first = arguments.first, ["thumbnail", "decode", "floor"].contains(first) {
    try runContender(first, Array(arguments.dropFirst()))
} else if arguments.first == "isolation" {
    try compareIsolation(rounds: arguments.dropFirst().first.flatMap { Int($0) } ?? 7)
} else {
    try compare(rounds: arguments.first.flatMap { Int($0) } ?? 7)
}
