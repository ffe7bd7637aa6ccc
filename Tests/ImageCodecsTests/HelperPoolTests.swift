import Foundation
import Pixels
import XCTest

@testable import ImageCodecs

/// The helpers of a pool of its own: how long they live, and what they have open.
final class HelperPoolTests: XCTestCase {
    private let limits = DecodeLimits()
    /// Made before, as what makes files asks helpers, too.
    private static let files = Result {
        try Dictionary(
            uniqueKeysWithValues: [ImageFormat.svg, .gif].map {
                ($0, try FormatTests.file($0, TestImages.gradient(40, 30)))
            })
    }

    /// Much longer than it takes to look through the processes, also on a busy machine: a helper is there until it was found.
    private static let idleTime = Duration.seconds(3)

    override func setUpWithError() throws { _ = try Self.files.get() }

    /// One draws once, and then pictures come again and again.
    func testAHelperThatNobodyNeedsEndsWhileOthersWork() throws {
        let pool = HelperPool(idleTime: Self.idleTime)
        let drawing = try newHelper { try decode(.svg, by: pool) }
        _ = try newHelper { try decode(.gif, by: pool) }
        try whileDecoding(.gif, by: pool) { self.isThere(drawing) }
        XCTAssertFalse(isThere(drawing), "it ends, and is collected")
    }

    func testAHelperThatDiedIsCollectedWhileOthersWork() throws {
        let pool = HelperPool(idleTime: Self.idleTime)
        let drawing = try newHelper { try decode(.svg, by: pool) }
        _ = try newHelper { try decode(.gif, by: pool) }
        kill(drawing, SIGKILL)
        try whileDecoding(.gif, by: pool) { self.isThere(drawing) }
        XCTAssertFalse(isThere(drawing))
    }

    /// Each frame of the one would have to be made of all those before it, if the other one had closed it.
    func testTwoAnimationsInTurnsCostWhatTheyCostOneAfterTheOther() throws {
        let clock = ContinuousClock()
        let frames = 300
        func opened() throws -> [Animation] {
            try [500, 501].map { width in
                try Animation(AnimationTests.manyFrames(count: frames, width: width, height: 400), longestSide: nil)
            }
        }
        let animations = try opened()
        let serially = try clock.measure {
            for animation in animations { for index in 0..<frames { _ = try animation.frame(index) } }
        }
        let others = try opened()
        let inTurns = try clock.measure {
            for index in 0..<frames { for animation in others { _ = try animation.frame(index) } }
        }
        XCTAssertLessThan(inTurns, serially * 10)
    }

    /// Also where there are two processors: who shows several asks them in turn.
    func testThreeAnimationsKeepAHelperEach() throws {
        let pool = HelperPool(idleTime: .seconds(60))
        let before = HelperProcessTests.helpers()
        let file = AnimationTests.manyFrames(count: 3, width: 8, height: 8)
        for index in 0..<3 {
            for animation in UInt64(1)...3 {
                let frame = try file.withUnsafeBytes { bytes in
                    try pool.frame(
                        index, of: animation, ByteReader(bytes), DecodeOptions(), limits: DecodeLimits(),
                        watch: DecodeWatch(timeLimit: .seconds(60)) { false })
                }
                XCTAssertEqual(frame.image.size, PixelSize(width: 8, height: 8))
            }
        }
        XCTAssertEqual(Set(HelperProcessTests.helpers()).subtracting(before).count, 3)
    }

    /// As where the signal is ignored, or where somebody collects all children.
    func testAnEndThatNobodyKnowsIsNoDamage() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "helpers with a sanitizer start slowly")
        let before = signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, before) }
        let pool = HelperPool(idleTime: .seconds(30))
        let idle = Set(HelperProcessTests.helpers())
        let outcome = Outcome()
        Thread.detachNewThread { [limits] in
            do throws(ImageCodecError) {
                try Self.decode(HelperProcessTests.endlessImage, .svg, by: pool, limits: limits)
                outcome.set(nil)
            } catch {
                outcome.set(error)
            }
        }
        let end = ContinuousClock.now + .seconds(60)
        while !outcome.isThere, .now < end {
            // Those that draw, as the system ends what takes much memory.
            for helper in HelperProcessTests.helpers() where !idle.contains(helper) {
                if HelperProcessTests.computed(helper) > 0.3 { kill(helper, SIGKILL) }
            }
            usleep(2_000)
        }
        XCTAssertEqual(outcome.error, .decoderKilled)
    }

    // MARK: -

    /// The helper that a call starts.
    private func newHelper(_ body: () throws -> Void) throws -> pid_t {
        let before = Set(HelperProcessTests.helpers())
        try body()
        let started = Set(HelperProcessTests.helpers()).subtracting(before)
        XCTAssertEqual(started.count, 1)
        return try XCTUnwrap(started.first)
    }

    /// Whether it runs, or waits to be collected.
    private func isThere(_ helper: pid_t) -> Bool {
        ProcessStatus.fields(of: helper)["PPid"] == "\(getpid())"
    }

    private func whileDecoding(_ format: ImageFormat, by pool: HelperPool, _ goesOn: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while goesOn(), .now < end { try decode(format, by: pool) }
    }

    private func decode(_ format: ImageFormat, by pool: HelperPool) throws {
        try Self.decode(try XCTUnwrap(Self.files.get()[format]), format, by: pool, limits: limits)
    }

    private static func decode(
        _ file: Data, _ format: ImageFormat, by pool: HelperPool, limits: DecodeLimits
    ) throws(ImageCodecError) {
        let outcome: Result<DecodedImage, ImageCodecError> = file.withUnsafeBytes { bytes in
            do throws(ImageCodecError) {
                let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: { false })
                return .success(
                    try pool.decode(ByteReader(bytes), format, DecodeOptions(), limits: limits, watch: watch))
            } catch {
                return .failure(error)
            }
        }
        _ = try outcome.get()
    }
}
