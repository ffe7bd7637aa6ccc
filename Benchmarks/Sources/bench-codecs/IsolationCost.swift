import Foundation
import ImageCodecs
import Pixels

/// What it costs that JPEG photographs are decoded in helper processes, beside decoding them in this one.
enum IsolationCost {
    struct Cost: Encodable {
        var photograph: String
        var side: Int
        /// Milliseconds a picture, by the clock, one picture after the other.
        var inProgram: Double
        var inHelper: Double
        /// Milliseconds of processor time a picture, of this process and its helpers together.
        var processorInProgram: Double
        var processorInHelper: Double
        /// Pictures a second by the clock, as many at once as there are processors.
        var rateInProgram: Double
        var rateInHelper: Double
    }

    static func measure(_ photograph: Data, rounds: Int) throws -> [Cost] {
        var costs: [Cost] = []
        for (name, pixels) in [("2.5 megapixels", 2_500_000.0), ("12 megapixels", 12_000_000)] {
            let file = try scaled(photograph, pixels: pixels)
            for side in [256, 1_024] {
                var seen: [String: [Double]] = [:]
                for round in 0...rounds {
                    for isolation in [DecodeIsolation.standard, .everything] {
                        let result = try run(file, side, isolation, images: pixels > 1e7 ? 12 : 40)
                        // The first round starts the helpers.
                        guard round > 0 else { continue }
                        for (key, value) in result { seen[key + isolation.rawValue, default: []].append(value) }
                    }
                }
                func value(_ key: String, _ isolation: DecodeIsolation) -> Double {
                    median(seen[key + isolation.rawValue] ?? [])
                }
                costs.append(
                    Cost(
                        photograph: name, side: side, inProgram: value("clock", .standard),
                        inHelper: value("clock", .everything), processorInProgram: value("processor", .standard),
                        processorInHelper: value("processor", .everything), rateInProgram: value("rate", .standard),
                        rateInHelper: value("rate", .everything)))
            }
        }
        return costs
    }

    private static func run(
        _ file: Data, _ side: Int, _ isolation: DecodeIsolation, images: Int
    ) throws -> [String: Double] {
        let limits = DecodeLimits(isolation: isolation)
        func milliseconds(_ time: Duration) -> Double {
            Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15
        }
        let processor = processorSeconds()
        let start = ContinuousClock.now
        for _ in 0..<images { _ = try ImageDecoder.decode(file, longestSide: side, limits: limits) }
        let clock = milliseconds(.now - start) / Double(images)
        let used = (processorSeconds() - processor) * 1_000 / Double(images)
        let together = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            for _ in 0..<images { _ = try? ImageDecoder.decode(file, longestSide: side, limits: limits) }
        }
        let all = Double(images * ProcessInfo.processInfo.activeProcessorCount)
        return ["clock": clock, "processor": used, "rate": all * 1_000 / milliseconds(.now - together)]
    }

    /// Of this process and its children that live; to the hundredth.
    private static func processorSeconds() -> Double {
        var own = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own)
        var sum = Double(own.tv_sec) + Double(own.tv_nsec) / 1e9
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(name) != nil {
            let text = (try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)) ?? ""
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 13, fields[1] == "\(getpid())", let user = Double(fields[11]),
                let system = Double(fields[12])
            else { continue }
            sum += (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        return sum
    }

    private static func scaled(_ photograph: Data, pixels: Double) throws -> Data {
        let image = try ImageDecoder.decode(photograph, longestSide: nil)
        let all = Double(image.size.width * image.size.height)
        if all > pixels {
            let longest = Double(max(image.size.width, image.size.height))
            return try ImageEncoder(format: .jpeg, quality: 88).encode(
                image.scaled(longestSide: Int(longest * (pixels / all).squareRoot())))
        }
        // Several of them side by side and one below the other.
        let times = Int((pixels / all).squareRoot().rounded(.up))
        var large = PixelBuffer(
            size: PixelSize(width: image.size.width * times, height: image.size.height * times))
        for row in 0..<times {
            for column in 0..<times {
                large.draw(image, at: (column * image.size.width, row * image.size.height))
            }
        }
        return try scaled(ImageEncoder(format: .jpeg, quality: 95).encode(large), pixels: pixels)
    }
}
