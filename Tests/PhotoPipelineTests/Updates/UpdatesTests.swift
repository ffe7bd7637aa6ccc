import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Progress and previews of pictures on their way, from servers that stop in the middle.
final class UpdatesTests: XCTestCase {
    /// Before its header is there nobody looks for one, so that is not among the first bytes.
    private static let file = ProgressiveImage.padded(by: 1_200)
    private static let tag = ["ETag": "\"v1\""]
    /// The first scan, and all but the last; a quarter more than the first.
    private static let few = ProgressiveImage.scanEnds(of: file)[0] + 10
    private static let many = ProgressiveImage.scanEnds(of: file)[8] + 10
    private var server: FaultServer!

    override func setUpWithError() throws { server = try FaultServer() }

    override func tearDown() { server.stop() }

    // MARK: Previews

    func testAPassAppearsWhileTheTransferRuns() async throws {
        serve([.stall(after: Self.many)])
        let pipeline = pipeline()
        let task = pipeline.imageTask(for: request(size: 80))
        let updates = Log(task)
        let preview = try await updates.preview()
        XCTAssertEqual(preview.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.many, longestSide: 80))
        XCTAssertTrue(preview.isFiltered)
        eventually("one pass is all there is to do") { pipeline.pending.previewQueue.operations.isEmpty }
        XCTAssertGreaterThan(pipeline.memoryInUse, 160 * 120)
        task.cancel()
        try await updates.end(.cancelled)
        XCTAssert(server.waitForPeerClose("/file"))
        eventuallyEmpty(pipeline)
    }

    func testPreviewsAreFilteredWhereThatCostsLittle() async throws {
        serve([.stall(after: Self.many)])
        let pipeline = pipeline()
        let chains = ["invert(1)", "sepia(1)", "sepia(1) blur(2px)"]
        let tasks = chains.map { pipeline.imageTask(for: request(size: 80, filter: $0)) }
        let logs = tasks.map { Log($0) }
        let plain = try ProgressiveImage.pass(of: Self.file, bytes: Self.many, longestSide: 80)
        for (index, chain) in chains.enumerated() {
            let preview = try await logs[index].preview()
            var expected = try XCTUnwrap(plain)
            XCTAssertEqual(preview.isFiltered, index < 2, chain)
            if index < 2 { try FilterChain(parsing: chain).apply(to: &expected, scale: 1) }
            XCTAssertEqual(preview.image, expected, chain)
        }
        // One transfer, and one loss is not the others'.
        XCTAssertEqual(server.requestCount("/file"), 1)
        tasks[0].cancel()
        try await logs[0].end(.cancelled)
        XCTAssertEqual(server.peerCloseCount("/file"), 0)
        for task in tasks { task.cancel() }
        eventuallyEmpty(pipeline)
    }

    func testWhoComesLaterSeesWhatThereIs() async throws {
        serve([.stall(after: Self.many)])
        let pipeline = pipeline()
        let first = pipeline.imageTask(for: request())
        eventually("all is there that comes") { pipeline.memoryInUse > 0 }
        let preview = try await Log(first).preview()
        // A loop that ended leaves the picture on its way, and the next one begins anew.
        let second = pipeline.imageTask(for: request())
        let other = try await Log(second).preview()
        let again = try await Log(first).preview()
        let whole = try ProgressiveImage.pass(of: Self.file, bytes: Self.many)
        XCTAssertEqual([preview.image, other.image, again.image], [whole, whole, whole])
        XCTAssertEqual(server.requestCount("/file"), 1)
        first.cancel()
        second.cancel()
        eventuallyEmpty(pipeline)
    }

    /// While the others are still there, who have seen it.
    func testWhoJoinsTheOthersSeesWhatTheyHaveSeen() async throws {
        serve([.stall(after: Self.many)])
        let pipeline = pipeline()
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request()) }
        var logs: [Log] = []
        for task in tasks {
            logs.append(Log(task))
            try await logs.last?.preview()
        }
        for task in tasks { task.cancel() }
        for log in logs { try await log.end(.cancelled) }
        eventuallyEmpty(pipeline)
    }

    func testAResumedTransferKeepsItsPreviews() async throws {
        serve([.cut(after: Self.few), .stall(after: Self.many - Self.few)])
        let pipeline = pipeline()
        let task = pipeline.imageTask(for: request())
        let updates = Log(task)
        let best = try ProgressiveImage.pass(of: Self.file, bytes: Self.many)
        try await updates.preview { $0.image == best }
        XCTAssertEqual(server.requestHeaders("Range", at: "/file").last, "bytes=\(Self.few)-")
        task.cancel()
        eventuallyEmpty(pipeline)
    }

    /// What an earlier run left on disk is the beginning of the preview.
    func testATransferResumedFromDiskHasPreviews() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "partial-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ProgressiveImage.padded(by: 80_000)
        let few = ProgressiveImage.scanEnds(of: file)[3] + 10
        serve([.stall(after: few), .stall(after: 1)], file)
        for round in 0..<2 {
            let pipeline = pipeline(partialDownloads: PartialDownloads(folder: folder.path))
            let task = pipeline.imageTask(for: request())
            let preview = try await Log(task).preview()
            XCTAssertEqual(preview.image, try ProgressiveImage.pass(of: file, bytes: few + round))
            task.cancel()
            eventuallyEmpty(pipeline)
        }
        XCTAssertEqual(server.requestHeaders("Range", at: "/file"), [nil, "bytes=\(few)-"])
    }

    /// A pass that is complete too soon after the last one is made when it is due, though nothing more comes.
    func testWhatCameTooSoonIsShownLater() async throws {
        let watch = watch()
        let mailbox = UpdateMailbox()
        watch.add(mailbox, .none)
        watch.bodyBegan(with: Data(), expected: nil)
        feed(watch, 0..<Self.few)
        let first = try await preview(in: mailbox)
        XCTAssertEqual(first.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.few))
        feed(watch, Self.few..<Self.many)
        let second = try await preview(in: mailbox)
        XCTAssertEqual(second.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.many))
    }

    /// Who does not take what is there causes no work.
    func testNothingIsDecodedForWhoIsSlow() async throws {
        let queue = OperationQueue()
        let watch = watch(MemoryGate(limit: 10_000_000), queue)
        let mailbox = UpdateMailbox()
        watch.add(mailbox, .none)
        watch.bodyBegan(with: Data(), expected: nil)
        feed(watch, 0..<Self.few)
        eventually("the first is there") { !mailbox.wantsPreview }
        feed(watch, Self.few..<Self.many)
        eventually("the second is left out") { watch.hasLeftOut && queue.operations.isEmpty }
        let first = try await preview(in: mailbox)
        XCTAssertEqual(first.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.few))
        let second = try await preview(in: mailbox)
        XCTAssertEqual(second.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.many))
    }

    /// Bytes with a gap make no preview, though what is missing here is nothing that a decoder would miss.
    func testAGapEndsThePreviews() {
        let queue = OperationQueue()
        let watch = watch(MemoryGate(limit: 10_000_000), queue)
        let mailbox = UpdateMailbox()
        watch.add(mailbox, .none)
        watch.bodyBegan(with: Data(), expected: nil)
        feed(watch, 0..<2)
        feed(watch, 1_204..<Self.many)
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertTrue(mailbox.wantsPreview)
    }

    func testWithoutMemoryThereIsNoPreview() async throws {
        let gate = MemoryGate(limit: 1)
        // Whoever asked first may have all there is.
        let eldest = PhotoMemory(gate: gate)
        eldest.retain()
        XCTAssertTrue(eldest.request(100_000, for: .body, askAgain: {}))
        let queue = OperationQueue()
        let watch = watch(gate, queue)
        let mailbox = UpdateMailbox()
        watch.add(mailbox, .none)
        watch.bodyBegan(with: Data(), expected: nil)
        feed(watch, 0..<Self.few)
        eventually("it was tried") { queue.operations.isEmpty }
        XCTAssertTrue(mailbox.wantsPreview)
        eldest.release(.body)
        feed(watch, Self.few..<Self.many)
        let preview = try await preview(in: mailbox)
        XCTAssertEqual(preview.image, try ProgressiveImage.pass(of: Self.file, bytes: Self.many))
        XCTAssertGreaterThan(gate.held, 160 * 120)
        watch.remove(mailbox)
        XCTAssertEqual(gate.held, 0)
    }

    /// What comes while a follower does not look is kept for the next pass.
    func testBytesThatWaitForAPassAreCounted() async throws {
        let gate = MemoryGate(limit: 4_000_000)
        let queue = OperationQueue()
        // The eldest may have more than there is.
        let eldest = PhotoMemory(gate: gate)
        eldest.retain()
        XCTAssert(eldest.mayReceive(upTo: 1))
        let watch = watch(gate, queue)
        let mailbox = UpdateMailbox()
        watch.add(mailbox, .none)
        watch.bodyBegan(with: Data(), expected: nil)
        feed(watch, 0..<Self.few)
        eventually("a pass was made") { !mailbox.wantsPreview && queue.operations.isEmpty }
        let passes = gate.held
        var position = Self.few
        func more(_ count: Int) {
            [UInt8](repeating: 0x55, count: count).withUnsafeBytes {
                watch.bodyContinued($0, at: position, expected: nil)
            }
            position += count
        }
        more(1_000_000)
        eventually("nothing is left to do") { queue.operations.isEmpty }
        XCTAssertGreaterThan(gate.held, passes + 700_000)
        XCTAssertLessThan(gate.held, passes + 1_100_000)
        // Others have the rest: a little more is kept, and then there are no further previews, and progress goes on.
        more(3_500_000)
        XCTAssertLessThan(gate.held, passes + 1_100_000)
        more(3_000_000)
        XCTAssertEqual(gate.held, 1)
        let told = Lock(0)
        let reader = Task {
            while case let update? = try await mailbox.next() {
                if case .progress(let progress) = update { told.withLock { $0 = progress.receivedByteCount } }
            }
        }
        eventually("progress is told within 50 ms") {
            more(1)
            return told.withLock { $0 } > 7_500_000
        }
        reader.cancel()
        XCTAssertEqual(gate.held, 1)
        watch.remove(mailbox)
    }

    // MARK: Progress and the end

    func testProgressGrowsAndThePictureIsTheLast() async throws {
        server.serve(FaultScript(Self.file, headers: Self.tag, [.cut(after: Self.few), .answer]), at: "/file")
        let pipeline = pipeline()
        let task = pipeline.imageTask(for: request(size: 80, filter: "invert(1)"))
        let updates = Log(task)
        let image = try await updates.image()
        var expected = try ImageDecoder.decode(Self.file, longestSide: 80)
        try FilterChain(parsing: "invert(1)").apply(to: &expected, scale: 0.5)
        XCTAssertEqual(image, expected)
        let counts = updates.progress.map(\.receivedByteCount)
        XCTAssertEqual(counts, counts.sorted())
        XCTAssertTrue(updates.progress.allSatisfy { $0.expectedByteCount == Self.file.count })
        // For one that is there already.
        let again = pipeline.imageTask(for: request(size: 80, filter: "invert(1)"))
        try await Log(again).image()
        eventuallyEmpty(pipeline)
    }

    func testAFailureIsThrownOnce() async throws {
        let pipeline = pipeline()
        let task = pipeline.imageTask(for: ImageRequest(address: server.url("/nothing")))
        try await Log(task).end(.http)
        var updates = task.updates.makeAsyncIterator()
        do throws(PhotoError) {
            _ = try await updates.next()
            XCTFail("no error")
        } catch {
            XCTAssertEqual(error.reason, .http)
        }
        let nothing = try await updates.next()
        XCTAssertNil(nothing)
    }

    func testALoopThatIsCancelledLeavesThePicture() async throws {
        let pipeline = pipeline()
        let task = pipeline.imageTask(for: ImageRequest(address: server.url(.gate)))
        XCTAssert(server.waitForRequests(Fault.gate.rawValue))
        let updates = Log(task)
        updates.cancel()
        try await updates.end(.cancelled)
        XCTAssertEqual(pipeline.pending.count, 1)
        server.openGate()
        let result = await task.result
        guard case .failure(let error) = result else { return XCTFail("a text is no picture") }
        XCTAssertEqual(error.reason, .notAnImage)
    }

    func testCallbacksTellTheSame() async throws {
        serve([.answer])
        let pipeline = pipeline()
        let finished = expectation(description: "finished")
        let images = Lock<[PixelBuffer]>([])
        pipeline.imageTask(for: request()) { update in
            if case .image(let image) = update { images.withLock { $0.append(image) } }
        } whenFinished: { result in
            XCTAssertEqual(images.withLock { $0 }, [try? result.get()])
            finished.fulfill()
        }
        await fulfillment(of: [finished], timeout: 60)
        let failed = expectation(description: "failed")
        pipeline.imageTask(for: ImageRequest(address: server.url("/nothing"))) { result in
            if case .failure(let error) = result { XCTAssertEqual(error.reason, .http) } else { XCTFail("a picture") }
            failed.fulfill()
        }
        await fulfillment(of: [failed], timeout: 60)
    }

    // MARK: -

    private func serve(_ steps: [FaultScript.Step], _ file: Data = file) {
        server.serve(FaultScript(file, headers: Self.tag, steps), at: "/file")
    }

    private func pipeline(partialDownloads: PartialDownloads? = nil) -> PhotoPipeline {
        var configuration = PhotoPipeline.Configuration()
        configuration.transferLimits = TransferLimits(idleTimeout: .seconds(600), totalTimeout: .seconds(600))
        configuration.partialDownloads = partialDownloads
        return PhotoPipeline(configuration: configuration)
    }

    private func request(size: Int? = nil, filter: String = "none") -> ImageRequest {
        let chain = (try? FilterChain(parsing: filter)) ?? .none
        return ImageRequest(address: server.url("/file"), longestSide: size, filter: chain)
    }

    private func watch(
        _ gate: MemoryGate = MemoryGate(limit: 10_000_000), _ queue: OperationQueue = OperationQueue()
    ) -> ArrivalWatch {
        let memory = PhotoMemory(gate: gate)
        memory.retain()
        return ArrivalWatch(
            options: DecodeOptions(), limits: DecodeLimits(), memory: memory, queue: queue, source: nil)
    }

    private func feed(_ watch: ArrivalWatch, _ range: Range<Int>) {
        Self.file[range].withUnsafeBytes { watch.bodyContinued($0, at: range.lowerBound, expected: nil) }
    }

    private func preview(in mailbox: UpdateMailbox) async throws -> ImageTask.Preview {
        while case let update? = try await mailbox.next() {
            if case .preview(let preview) = update { return preview }
        }
        throw PhotoError(.cancelled, "no preview")
    }

    private func eventuallyEmpty(_ pipeline: PhotoPipeline, line: UInt = #line) {
        eventually("nothing is left", line: line) {
            pipeline.stageCount == 0 && pipeline.memoryInUse == 0 && pipeline.pending.count == 0
                && pipeline.pending.previewQueue.operations.isEmpty
        }
    }

    private func eventually(_ what: String, line: UInt = #line, _ isMet: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end { usleep(2_000) }
        XCTAssert(isMet(), what, line: line)
    }
}

/// All updates of a task, in a loop of their own.
private final class Log: Sendable {
    private struct State {
        var updates: [ImageTask.Update] = []
        var hasEnded = false
        var error: PhotoError?
    }

    private let state: Lock<State>
    private let loop: Task<Void, Never>

    init(_ task: ImageTask) {
        let state = Lock(State())
        self.state = state
        loop = Task {
            do throws(PhotoError) {
                for try await update in task.updates { state.withLock { $0.updates.append(update) } }
            } catch {
                state.withLock { $0.error = error }
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    deinit { loop.cancel() }

    func cancel() { loop.cancel() }

    var progress: [ImageTask.Progress] {
        state.withLock { $0.updates.compactMap { if case .progress(let progress) = $0 { progress } else { nil } } }
    }

    /// Waits for a preview.
    @discardableResult
    func preview(where isIt: (ImageTask.Preview) -> Bool = { _ in true }) async throws -> ImageTask.Preview {
        try await first { if case .preview(let preview) = $0, isIt(preview) { preview } else { nil } }
    }

    /// Waits for the picture, behind which there is nothing.
    @discardableResult
    func image() async throws -> PixelBuffer {
        let image = try await first { if case .image(let image) = $0 { image } else { nil } }
        guard case .image? = state.withLock({ $0.updates.last }) else { throw PhotoError(.cancelled, "not the last") }
        return image
    }

    /// Waits for the end.
    func end(_ reason: PhotoError.Reason, line: UInt = #line) async throws {
        let error = try await soon { $0.hasEnded ? $0.error : nil }
        XCTAssertEqual(error.reason, reason, line: line)
    }

    private func first<Found>(_ find: (ImageTask.Update) -> Found?) async throws -> Found {
        try await soon { $0.updates.lazy.compactMap(find).first }
    }

    private func soon<Found>(_ find: (State) -> Found?) async throws -> Found {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let found = state.withLock({ find($0) }) { return found }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw PhotoError(.cancelled, "It did not come within a minute.")
    }
}
