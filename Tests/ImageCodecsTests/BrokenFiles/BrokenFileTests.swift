import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Whatever is in a file, a decode ends in time, in a picture of an allowed size or in one of our errors.
///
/// `CLASSICPHOTOS_BROKEN_FILES=100000` sets how many in all, `CLASSICPHOTOS_SEED=7` which. The first of them is broken
/// with the seed, each next one with the number after it, so that a failure is repeated by that number and a count of 1
/// a format. In long runs the file at work is also in the folder of temporary files, in case this process dies of it.
final class BrokenFileTests: XCTestCase {
    /// A sanitizer sees only what is decoded here.
    private static let limits = DecodeLimits(
        maxPixels: 1_000_000, maxFrames: 50, timeLimit: .seconds(5), maxMemory: 64 << 20,
        isolation: ProcessStatus.isSanitized ? .nothing : .standard)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    func testBrokenFilesEndInAPictureOrAnError() throws {
        let seed = Self.number("CLASSICPHOTOS_SEED") ?? 20_240_607
        let wanted = Self.number("CLASSICPHOTOS_BROKEN_FILES")
        let samples = try SampleFiles.all()
        let each = max(1, ((wanted ?? 900) + samples.count - 1) / samples.count)
        print("seed \(seed), \(each) files of each format")
        let tallies = samples.map { _ in Tally() }
        let before = ProcessStatus.peakMemory
        DispatchQueue.concurrentPerform(iterations: samples.count) { index in
            let (format, files) = samples[index]
            let last = FileManager.default.temporaryDirectory.appending(path: "classicphotos-broken-\(format)")
            for number in seed..<seed + each {
                var mutator = FileMutator(seed: UInt64(truncatingIfNeeded: number))
                let file = mutator.broken(files, format)
                if wanted != nil { try? file.write(to: last) }
                tallies[index].count(Self.outcome(file), of: number)
            }
            if wanted != nil { try? FileManager.default.removeItem(at: last) }
        }
        for ((format, _), tally) in zip(samples, tallies) {
            print("\(format): \(tally.summary)")
            XCTAssertEqual(tally.faults, [], "\(format)")
            XCTAssertGreaterThan(tally.images, each / 100, "\(format): hardly any file gets past the header")
            XCTAssertGreaterThan(tally.errors, each / 100, "\(format): hardly any file is broken")
        }
        // Those that decode here do it one picture a thread, at most one for each format and as many as processors;
        // what a helper takes its own limit ends.
        guard !ProcessStatus.isSanitized else { return }
        let threads = min(samples.count, ProcessInfo.processInfo.activeProcessorCount)
        let growth = ProcessStatus.peakMemory - before
        print("peak memory: \(growth >> 20) MB more than before")
        XCTAssertLessThan(growth, threads * Self.limits.maxMemory + Self.reserve)
    }

    /// For what stays of the samples, of libraries that are loaded, and of heaps of threads.
    private static let reserve = 128 << 20

    private enum Ending {
        case image
        case error(ImageCodecError)
        case fault(String)
    }

    private static func outcome(_ file: Data) -> Ending {
        let start = ContinuousClock.now
        let result: Ending
        do throws(ImageCodecError) {
            let image = try ImageDecoder.decode(file, longestSide: 24, limits: limits)
            let size = image.size
            let isRight = !size.isEmpty && max(size.width, size.height) <= 24
            result = isRight ? .image : .fault("a picture of \(size)")
        } catch {
            let text = String(describing: error)
            let isClean = text.count < 300 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
            result = isClean ? .error(error) : .fault("says \(text)")
        }
        _ = try? ImageDecoder.probe(file, limits: limits)
        // Far above the limit, because a machine may stall.
        let time = ContinuousClock.now - start
        return time < limits.timeLimit * 2 + .seconds(30) ? result : .fault("took \(time)")
    }

    /// Used by one thread at a time.
    private final class Tally: @unchecked Sendable {
        private(set) var images = 0
        private(set) var errors = 0
        private(set) var faults: [String] = []
        /// The seeds of files on which a decoder crashed or did not stop.
        private var crashes: [Int] = []
        private var timeouts: [Int] = []

        func count(_ ending: Ending, of seed: Int) {
            switch ending {
            case .image: images += 1
            case .error(let error):
                errors += 1
                if error == .damaged("its decoder failed") { crashes.append(seed) }
                if error == .timeout { timeouts.append(seed) }
            case .fault(let what): faults.append("seed \(seed): \(what)")
            }
        }

        var summary: String {
            var text = "\(images) pictures, \(errors) errors"
            if !crashes.isEmpty { text += ", \(crashes.count) crashes of the decoder (seeds \(crashes.prefix(10)))" }
            if !timeouts.isEmpty { text += ", \(timeouts.count) not in time (seeds \(timeouts.prefix(10)))" }
            return text
        }
    }
}
