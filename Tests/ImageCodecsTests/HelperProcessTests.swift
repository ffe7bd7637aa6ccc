import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Decoders in a process of their own: what happens to it must not happen to this one.
final class HelperProcessTests: XCTestCase {
    /// librsvg draws for many minutes what this asks for, and knows no way to stop.
    static let endlessImage: Data = {
        let filters = (0..<120).map { "<feTurbulence baseFrequency='0.0\($0 + 1)' numOctaves='40'/>" }.joined()
        return Data(
            ("<svg xmlns='http://www.w3.org/2000/svg' width='1500' height='1500'><filter id='f'>\(filters)</filter>"
                + "<rect width='1500' height='1500' filter='url(#f)'/></svg>").utf8)
    }()

    /// The helpers of this process that live.
    static func helpers() -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { pid in
            let fields = ProcessStatus.fields(of: pid)
            return fields["PPid"] == "\(getpid())" && fields["Name"] == "photo-decoder"
                && fields["State"]?.hasPrefix("Z") == false
        }
    }

    private func waitUntil(_ what: String, _ condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard .now < deadline else { return XCTFail("not within a minute: \(what)") }
            usleep(2_000)
        }
    }

    private func image(_ format: ImageFormat) throws -> Data {
        try FormatTests.file(format, TestImages.gradient(40, 30))
    }

    /// Starts a decode that does not end by itself and gives the helper that is at it.
    private func startEndlessDecode(
        limits: DecodeLimits = DecodeLimits(timeLimit: .seconds(600)), stop: Counter = Counter()
    ) throws -> (helper: pid_t, outcome: Outcome) {
        let outcome = Outcome()
        let file = Self.endlessImage
        let before = Self.computedByAll()
        Thread.detachNewThread {
            do throws(ImageCodecError) {
                _ = try ImageDecoder.decode(file, longestSide: nil, limits: limits, isCancelled: { stop.value > 0 })
                outcome.set(nil)
            } catch {
                outcome.set(error)
            }
        }
        return (try self.helper(outcome, thatDrewSince: before), outcome)
    }

    private static func computedByAll() -> [pid_t: Double] {
        Dictionary(uniqueKeysWithValues: helpers().map { ($0, computed($0)) })
    }

    /// Seconds that a process has computed.
    static func computed(_ pid: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let user = Double(fields[11]) else { return 0 }
        return user / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func testACrashCostsOnePictureOnly() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "a sanitizer would take this for a fault of ours")
        let (helper, outcome) = try startEndlessDecode()
        let end = SIGSEGV
        let second = try successor(of: helper, after: end, outcome)
        kill(second, end)
        waitUntil("the decode ends") { outcome.isThere }
        guard case .damaged? = outcome.error else { return XCTFail("\(String(describing: outcome.error))") }
        for format in [ImageFormat.gif, .tiff, .svg] {
            XCTAssertEqual(try ImageDecoder.decode(image(format), longestSide: 20).size.width, 20)
        }
        XCTAssertTrue(Set(Self.helpers()).isDisjoint(with: [helper, second]))
    }

    /// What the system ends twice is no damage of the picture: a person can give it more memory, or try again.
    func testAPictureWhoseHelperIsKilledTwiceIsNotDamaged() throws {
        let (helper, outcome) = try startEndlessDecode()
        let second = try successor(of: helper, after: SIGKILL, outcome)
        kill(second, SIGKILL)
        waitUntil("the decode ends") { outcome.isThere }
        XCTAssertEqual(outcome.error, .decoderKilled)
    }

    /// The system may end any process for want of memory; that says nothing about the picture.
    func testAPictureWhoseHelperIsKilledIsTriedOnceMore() throws {
        let stop = Counter()
        let (helper, outcome) = try startEndlessDecode(stop: stop)
        let second = try successor(of: helper, after: SIGKILL, outcome)
        XCTAssertFalse(outcome.isThere)
        // It is as good as the first: it can be stopped, and finishes what ends.
        _ = stop.next()
        waitUntil("the decode ends") { outcome.isThere }
        XCTAssertEqual(outcome.error, .cancelled)
        waitUntil("its process ends") { !Self.helpers().contains(second) }
    }

    /// Ends a helper with a signal, and gives the one that goes on with what it was at.
    private func successor(of helper: pid_t, after signal: Int32, _ outcome: Outcome) throws -> pid_t {
        let before = Self.computedByAll()
        kill(helper, signal)
        return try self.helper(outcome, thatDrewSince: before, except: helper)
    }

    /// The helper that has computed for a while since then; those that earlier tests have kept busy may be there, idle.
    private func helper(
        _ outcome: Outcome, thatDrewSince before: [pid_t: Double], except dead: pid_t? = nil
    ) throws -> pid_t {
        var busy: pid_t?
        waitUntil("a helper draws") {
            busy = Self.helpers().first { $0 != dead && Self.computed($0) > (before[$0] ?? 0) + 0.3 }
            return busy != nil || outcome.isThere
        }
        return try XCTUnwrap(busy, "\(String(describing: outcome.error))")
    }

    func testAFrameWhoseHelperWasKilledIsThere() throws {
        // The helper that has the animation is killed each time while it waits or works: both are survived.
        let file = try image(.gif)
        let animation = try Animation(file, longestSide: nil)
        for _ in 0..<20 {
            let killing = Thread { for helper in Self.helpers() { kill(helper, SIGKILL) } }
            killing.start()
            XCTAssertEqual(try animation.frame(0).image.size.width, 40)
            waitUntil("the killing ends") { killing.isFinished }
        }
    }

    func testAHelperThatDiesWhileIdleIsReplaced() throws {
        // Made once: what makes files asks helpers, too, and would meet the dead one in place of the decode.
        let file = try image(.gif)
        _ = try ImageDecoder.decode(file, longestSide: 20)
        let helpers = Self.helpers()
        XCTAssertFalse(helpers.isEmpty)
        for helper in helpers { kill(helper, SIGKILL) }
        waitUntil("the helpers are gone") { Self.helpers().isEmpty }
        XCTAssertEqual(try ImageDecoder.decode(file, longestSide: 20).size.width, 20)
    }

    func testADecodeThatDoesNotStopIsEnded() throws {
        let stop = Counter()
        let (helper, outcome) = try startEndlessDecode(stop: stop)
        _ = stop.next()
        waitUntil("the decode ends") { outcome.isThere }
        XCTAssertEqual(outcome.error, .cancelled)
        waitUntil("its process ends") { !Self.helpers().contains(helper) }
    }

    func testTheTimeLimitEndsADecode() throws {
        let (helper, outcome) = try startEndlessDecode(limits: DecodeLimits(timeLimit: .seconds(3)))
        waitUntil("the decode ends") { outcome.isThere }
        XCTAssertEqual(outcome.error, .timeout)
        waitUntil("its process ends") { !Self.helpers().contains(helper) }
    }

    /// As on a machine that is busy with other work.
    func testTheTimeThatAHelperDoesNotGetIsNotItsOwn() throws {
        let limit = Duration.seconds(4)
        let before = Self.computedByAll()
        let began = ContinuousClock.now
        let (helper, outcome) = try startEndlessDecode(limits: DecodeLimits(timeLimit: limit))
        kill(helper, SIGSTOP)
        let stopped = ContinuousClock.now
        waitUntil("the limit has passed by the clock") { .now > stopped + limit || outcome.isThere }
        XCTAssertFalse(outcome.isThere, "\(String(describing: outcome.error))")
        kill(helper, SIGCONT)
        var computed = 0.0
        waitUntil("the decode ends") {
            computed = max(computed, Self.computed(helper) - (before[helper] ?? 0))
            return outcome.isThere
        }
        XCTAssertEqual(outcome.error, .timeout)
        // Where the machine leaves it less than a fifth of a processor, it is ended by the clock.
        if ContinuousClock.now - began < limit * 5 { XCTAssertGreaterThan(computed, 3) }
    }

    /// It computes nothing any more, and nobody waits for it without end.
    func testAHelperThatOnlyWaitsIsEnded() throws {
        let start = ContinuousClock.now
        let limit = Duration.seconds(2)
        let (helper, outcome) = try startEndlessDecode(limits: DecodeLimits(timeLimit: limit))
        kill(helper, SIGSTOP)
        waitUntil("the decode ends") { outcome.isThere }
        XCTAssertEqual(outcome.error, .timeout)
        XCTAssertGreaterThan(ContinuousClock.now - start, limit * 5)
        waitUntil("its process ends") { !Self.helpers().contains(helper) }
    }

    /// A picture whose helper dies late has not got another whole time limit.
    func testTheTimeLimitIsForBothTries() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "helpers with a sanitizer start slowly")
        let before = Self.computedByAll()
        let (first, outcome) = try startEndlessDecode(limits: DecodeLimits(timeLimit: .seconds(6)))
        waitUntil("half of the limit is computed") {
            Self.computed(first) > (before[first] ?? 0) + 3 || outcome.isThere
        }
        let second = try successor(of: first, after: SIGKILL, outcome)
        var computed = 0.0
        waitUntil("the decode ends") {
            computed = max(computed, Self.computed(second))
            return outcome.isThere
        }
        XCTAssertEqual(outcome.error, .timeout)
        // With the whole limit again it would be six.
        XCTAssertLessThan(computed, 4.5)
    }

    func testAHelperHasNothingButItsSocket() throws {
        let secret = open("/dev/zero", O_RDONLY)
        defer { close(secret) }
        let stop = Counter()
        let (helper, outcome) = try startEndlessDecode(
            limits: DecodeLimits(timeLimit: .seconds(600), maxMemory: 512 << 20), stop: stop)
        // Nobody else may look at what a helper has.
        if geteuid() == 0 {
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper)/fd").sorted().map { name in
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(helper)/fd/\(name)")
            }
            XCTAssertEqual(files.filter { $0.hasPrefix("socket:") }.count, 1)
            XCTAssertFalse(files.contains("/dev/zero"))
            let environment = try Data(contentsOf: URL(filePath: "/proc/\(helper)/environ"))
            let names = environment.split(separator: 0).map {
                String(decoding: $0, as: UTF8.self).split(separator: "=")[0]
            }
            XCTAssertTrue(names.allSatisfy { $0 == "LD_LIBRARY_PATH" || $0.hasSuffix("SAN_OPTIONS") }, "\(names)")
        }
        XCTAssertEqual(getsid(helper), helper)
        let limits = try String(contentsOfFile: "/proc/\(helper)/limits", encoding: .utf8).split(separator: "\n")
        func limit(_ name: String) -> Int? {
            limits.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(26).split(separator: " ")[0]) }
        }
        // A sanitizer needs calls and memory that would not pass.
        if !ProcessStatus.isSanitized {
            XCTAssertEqual(ProcessStatus.fields(of: helper)["NoNewPrivs"], "1")
            if !HelperConfinement.missing.contains(.callFilter) {
                XCTAssertEqual(ProcessStatus.fields(of: helper)["Seccomp"], "2")
            }
            XCTAssertEqual(limit("Max file size"), 0)
            XCTAssertLessThan(try XCTUnwrap(limit("Max data size")), 2 << 30)
        }
        XCTAssertEqual(limit("Max core file size"), 0)
        XCTAssertNotNil(limit("Max cpu time"))
        _ = stop.next()
        waitUntil("the decode ends") { outcome.isThere }
    }

    /// What decoders do with large pictures, and what is done with their memory afterwards, must be allowed, too.
    func testAHelperOutlivesLargePictures() throws {
        let formats = ImageFormat.allCases.filter { $0 != .jpeg }
        let files = try formats.map { try FormatTests.file($0, TestImages.gradient(600, 450)) }
        var helpers: Set<pid_t> = []
        for _ in 0..<2 {
            for (format, file) in zip(formats, files) {
                for side in [nil, 500] {
                    let image = try ImageDecoder.decode(file, longestSide: side)
                    XCTAssertEqual(image.size.width, format == .svg ? 120 : side ?? 600, "\(format)")
                }
                helpers.formUnion(Self.helpers())
            }
        }
        XCTAssertFalse(helpers.isEmpty)
        XCTAssertEqual(Set(Self.helpers()), helpers, "some have ended")
    }

    /// Only libjpeg-turbo is trusted with strangers' files in this process.
    func testEverythingButJPEGIsDecodedInAHelper() throws {
        for format in ImageFormat.allCases {
            let file = try image(format)
            for helper in Self.helpers() { kill(helper, SIGKILL) }
            waitUntil("the helpers are gone") { Self.helpers().isEmpty }
            XCTAssertEqual(try ImageDecoder.decode(file, longestSide: 20).size.width, 20)
            XCTAssertEqual(Self.helpers().isEmpty, format == .jpeg, "\(format)")
        }
    }

    func testManyCallersShareFewHelpers() throws {
        let files = try [ImageFormat.gif, .tiff, .svg].map { try image($0) }
        let faults = Counter()
        let most = Counter()
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let decoded = try? ImageDecoder.decode(files[index % files.count], longestSide: 20)
            if decoded?.size.width != 20 { _ = faults.next() }
            let count = Self.helpers().count
            while most.value < count { _ = most.next() }
        }
        XCTAssertEqual(faults.value, 0)
        // Those for drawings are others than those for pictures.
        XCTAssertLessThanOrEqual(most.value, 2 * max(2, ProcessInfo.processInfo.activeProcessorCount))
    }

    /// The same bytes in both ways.
    func testAHelperDecodesAsThisProcessDoes() throws {
        for format in ImageFormat.allCases where format != .jpeg {
            let file = try FormatTests.file(format)
            for side in [nil, 30] {
                let there = try ImageDecoder.decode(file, longestSide: side)
                let here = try ImageDecoder.decode(
                    file, longestSide: side, limits: DecodeLimits(isolation: .nothing))
                XCTAssertEqual(there, here, "\(format)")
                XCTAssertEqual(there.isOpaque, here.isOpaque, "\(format)")
            }
        }
    }

    func testErrorsComeThroughWithTheirParts() throws {
        let wide = Data("<svg xmlns='http://www.w3.org/2000/svg' width='3000' height='2000'/>".utf8)
        let broken = Data("<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'><rect".utf8)
        for (file, limits) in [
            (wide, DecodeLimits(maxPixels: 1_000)), (wide, DecodeLimits(maxMemory: 1_000)), (broken, DecodeLimits()),
            (try image(.tiff).prefix(200), DecodeLimits()),
        ] {
            var local = limits
            local.isolation = .nothing
            func failure(_ limits: DecodeLimits) -> ImageCodecError? {
                do throws(ImageCodecError) {
                    _ = try ImageDecoder.decode(file, longestSide: nil, limits: limits)
                    return nil
                } catch { return error }
            }
            let error = failure(limits)
            XCTAssertNotNil(error)
            XCTAssertEqual(error, failure(local))
        }
    }
}

/// How a decode on another thread ended.
final class Outcome: @unchecked Sendable {
    // The lock guards both.
    private let lock = NSLock()
    private var hasEnded = false
    private var failure: ImageCodecError?

    var isThere: Bool { lock.withLock { hasEnded } }
    var error: ImageCodecError? { lock.withLock { failure } }

    func set(_ error: ImageCodecError?) {
        lock.withLock {
            failure = error
            hasEnded = true
        }
    }
}
