import CVipsRecomb
import Foundation
import Pixels

/// Measures the filters beside what others use for the same.
///
/// CPU time of one thread for sepia() and sepia-tone() on 12 megapixels, beside copying the pixels, libvips' recomb,
/// Pillow's matrix and OpenCV's transform. Rounds are interleaved, so that a slow moment of the machine hits all.
/// Run in the repository's root; writes build/bench/filters.json.
@main
struct BenchFilters {
    static func main() throws {
        let size = PixelSize(width: 4000, height: 3000)
        let rounds = 15
        let sepia = FilterChain([.sepia(1)])
        let chain = FilterChain([.sepia(0.5), .contrast(1.2), .saturate(1.3)])
        let photo = photograph(size)
        let grain = noise(size)
        var work = photo
        var copy = noise(size)

        func filtering(_ source: PixelBuffer, by chain: FilterChain) -> () -> Double? {
            {
                restore(&work, from: source)
                return cpuMilliseconds { chain.apply(to: &work) }
            }
        }

        let rgb = photo.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).flatMap { [bytes[$0], bytes[$0 + 1], bytes[$0 + 2]] }
        }
        let weights = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]

        var contenders: [(name: String, measure: () -> Double?)] = [
            ("copy", { cpuMilliseconds { restore(&copy, from: photo) } }),
            ("sepia", filtering(photo, by: sepia)),
            // Into memory of its own, as the peers do; the rest filters in place.
            (
                "sepia of a copy",
                {
                    cpuMilliseconds {
                        var fresh = photo
                        sepia.apply(to: &fresh)
                    }
                }
            ),
            ("sepia-tone", filtering(photo, by: .classic)),
            ("sepia-tone, noise", filtering(grain, by: .classic)),
            ("sepia contrast saturate", filtering(photo, by: chain)),
        ]
        if cvr_start() {
            contenders.append(
                (
                    "vips recomb",
                    {
                        var worked = false
                        let time = cpuMilliseconds {
                            worked = cvr_recomb(rgb, Int32(size.width), Int32(size.height), weights)
                        }
                        return worked ? time : nil
                    }
                ))
        }
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let folder = root.appending(path: "build/bench")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let peers = PythonPeers(
            script: root.appending(path: "Benchmarks/peers/filters.py"), environment: folder.appending(path: "venv"))
        for name in peers?.names ?? [] {
            contenders.append((name, { peers?.measure(name) }))
        }

        var times: [String: [Double]] = [:]
        for round in 0...rounds {
            for contender in contenders {
                // The first round warms up memory and tables.
                guard let time = contender.measure(), round > 0 else { continue }
                times[contender.name, default: []].append(time)
            }
        }
        peers?.stop()

        let medians = times.mapValues { $0.sorted()[$0.count / 2] }
        let own = medians["sepia"] ?? .nan
        print("\(size) pixels, CPU milliseconds of one thread, median of \(rounds) interleaved rounds")
        for contender in contenders {
            guard let median = medians[contender.name] else {
                print("\(contender.name): failed")
                continue
            }
            print("\(contender.name): \(String(format: "%.1f ms, %.2f of sepia", median, median / own))")
        }

        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        let report: [String: Any] = [
            "date": ISO8601DateFormatter().string(from: Date()),
            "processor": processor ?? "unknown",
            "width": size.width,
            "height": size.height,
            "rounds": rounds,
            "medianCPUMilliseconds": medians,
            "ratioToSepia": medians.mapValues { $0 / own },
        ]
        let data = try JSONSerialization.data(withJSONObject: report, options: [.prettyPrinted, .sortedKeys])
        try data.write(to: folder.appending(path: "filters.json"), options: .atomic)
    }
}

/// The CPU time that `body` takes on all threads of this process.
func cpuMilliseconds(_ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    let start = now()
    body()
    return now() - start
}

/// Brings `source` into memory that is already mapped, so that no page fault is counted.
func restore(_ target: inout PixelBuffer, from source: PixelBuffer) {
    source.withUnsafeBytes { from in
        target.withUnsafeMutableBytes(keepsOpacity: true) { $0.copyMemory(from: from) }
    }
}
