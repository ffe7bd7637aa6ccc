import Dispatch
import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import Pixels
import Testing

@testable import PhotoApp

@Suite struct TimelineTests {
    private final class Thing {}
    private let things = (0..<20).map { _ in Thing() }

    /// Waits until what was recorded meets a condition; the time limit of the test ends that.
    private static func wait(for recorder: TimelineRecorder, until isMet: (Timeline) -> Bool) async throws {
        while !isMet(recorder.timeline) { try await Task.sleep(for: .milliseconds(2)) }
    }

    private func id(_ index: Int) -> ObjectIdentifier { ObjectIdentifier(things[index]) }

    @Test func thoseThatRunTogetherLieSideBySide() {
        var timeline = Timeline(lanes: 2)
        for index in 0..<3 {
            timeline.add(id(index), "\(index)", lane: 1, at: .seconds(index), dependencies: [])
        }
        #expect(timeline.lanes[1].waitingCount == 3)
        timeline.start(id(0), at: .seconds(4))
        timeline.start(id(1), at: .seconds(5))
        timeline.finish(id(0), at: .seconds(6), .done)
        timeline.start(id(2), at: .seconds(7))
        #expect(timeline.bars.map(\.track) == [0, 1, 0])
        #expect(timeline.lanes[1].trackCount == 2)
        #expect(timeline.lanes[1].runningCount == 2)
        #expect(timeline.lanes[1].waiting.map(\.count) == [1, 2, 3, 2, 1, 0])
        #expect(timeline.bar(lane: 1, track: 0, at: .seconds(8), now: .seconds(9))?.name == "2")
        #expect(timeline.bar(lane: 1, track: 0, at: .seconds(5), now: .seconds(9))?.name == "0")
        #expect(timeline.bar(lane: 0, track: 0, at: .seconds(5), now: .seconds(9)) == nil)
        #expect(!timeline.isIdle)
    }

    @Test func aBarThatSomebodyLooksAtGoesOn() throws {
        // Two photos of one name, which were there when the panel was opened.
        var timeline = Timeline(lanes: 2)
        for index in 0..<2 { timeline.add(id(index), "Filter 1", lane: 0, at: .seconds(1), dependencies: []) }
        for index in 0..<2 { timeline.start(id(index), at: .seconds(2)) }
        let bar = try #require(timeline.bar(lane: 0, track: 0, at: .seconds(3), now: .seconds(3)))
        timeline.finish(id(1), at: .seconds(4), .done)
        #expect(timeline.present(bar).finished == nil)
        timeline.finish(id(0), at: .seconds(5), .done)
        #expect(timeline.present(bar).finished == .seconds(5))
        // One that was let go stays as it was seen last.
        #expect(Timeline(lanes: 2).present(timeline.present(bar)).finished == .seconds(5))
    }

    /// Whoever opens the panel while photos arrive sees those that were asked for before.
    @Test(.timeLimit(.minutes(2))) func whatWasAddedBeforeAnybodyFollowedIsThere() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let (begun, signal) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        queue.addOperation {
            signal.finish()
            gate.wait()
        }
        for await _ in begun {}
        let last = BlockOperation {}
        last.name = "Filter 1"
        for number in 1...3 {
            let operation = BlockOperation {}
            operation.name = "Decode \(number)"
            queue.addOperation(operation)
            if number == 1 { last.addDependency(operation) }
        }
        queue.addOperation(last)
        let recorder = TimelineRecorder([queue], now: .seconds(5))
        try await Self.wait(for: recorder) { $0.lanes[0].runningCount == 1 && $0.lanes[0].waitingCount == 4 }
        #expect(recorder.timeline.lanes[0].readyCount == 3)
        #expect(recorder.timeline.bars.map(\.photo) == [nil, "1", "2", "3", "1"])
        #expect(recorder.timeline.bars.map(\.dependencies) == [[], [], [], [], ["Decode 1"]])
        #expect(recorder.timeline.bars.allSatisfy { $0.added == .seconds(5) })
        gate.signal()
        try await Self.wait(for: recorder) { $0.isIdle }
        #expect(recorder.timeline.bars.count == 5)
        #expect(recorder.timeline.bars.allSatisfy { $0.outcome == .done && $0.started != nil })
    }

    /// Each counts from its own beginning.
    @Test(.timeLimit(.minutes(2))) func queuesThatWereMadeAtDifferentTimesHaveOneTime() async throws {
        let first = OperationQueue()
        let made = ContinuousClock.now
        while ContinuousClock.now - made < .milliseconds(20) {}
        let second = OperationQueue()
        let recorder = TimelineRecorder([first, second], now: .zero)
        let (earlier, later) = (BlockOperation {}, BlockOperation {})
        later.addDependency(earlier)
        first.addOperation(earlier)
        second.addOperation(later)
        try await Self.wait(for: recorder) { $0.bars.count == 2 && $0.isIdle }
        let bars = recorder.timeline.bars.sorted { $0.lane < $1.lane }
        let (end, start) = (try #require(bars[0].finished), try #require(bars[1].started))
        #expect(end <= start)
    }

    @Test func whatIsCancelledBeforeItBeganWaitsNoMore() {
        var timeline = Timeline(lanes: 1)
        timeline.add(id(0), "a", lane: 0, at: .seconds(1), dependencies: ["b"])
        timeline.finish(id(0), at: .seconds(2), .cancelled)
        #expect(timeline.isIdle)
        #expect(timeline.bars[0].started == nil)
        #expect(timeline.lastEvent == .seconds(2))
        // Its place in memory may be another operation's now.
        timeline.add(id(0), "c", lane: 0, at: .seconds(3), dependencies: [])
        #expect(timeline.bars.count == 2)
    }

    @Test func theAxisHasRoundSecondsThatCanBeRead() {
        // 100 pixels a second.
        let window = TimeWindow(end: 12.3, span: 6, width: 600)
        #expect(window.ticks(apart: 70).seconds == [7, 8, 9, 10, 11, 12])
        #expect(window.ticks(apart: 70).decimals == 0)
        let fine = TimeWindow(end: 2, span: 0.05, width: 600).ticks(apart: 70)
        #expect(fine.decimals == 2)
        #expect(fine.seconds.map { ($0 * 100).rounded() } == [195, 196, 197, 198, 199])
        let wide = TimeWindow(end: 500, span: 600, width: 600).ticks(apart: 70)
        #expect(wide.seconds == [0, 120, 240, 360, 480], "and none before the beginning")
        let start = TimeWindow(end: 5, span: 5.2, width: 600).ticks(apart: 70)
        #expect(start.seconds.first?.sign == .plus, "0 s, and not -0 s")
        let close = TimeWindow(end: 2, span: 0.004, width: 600).ticks(apart: 70)
        #expect(close.decimals == 4, "a stage that took two milliseconds can be read off")
        #expect(TimeWindow(end: 1e6, span: 1e6, width: 100).ticks(apart: 70).seconds.count < 2_000)
    }

    @Test @MainActor func anOperationIsCalledByItsPhoto() {
        #expect(TimelineText.title(ofOperation: "Download") == "Download")
        #expect(TimelineText.title(ofOperation: "Wait for memory Two Wings") == "Two Wings · Wait for memory")
        #expect(TimelineText.title(ofOperation: "Downloads of mine") == "Downloads of mine")
    }

    @Test func aPhotosStagesAreKnownByItsAddress() {
        var timeline = Timeline(lanes: 2)
        let names = ["Download Two Wings", "Decode Two Wings", "Download Two", "Decode Two Wings", "Downloads of mine"]
        for (index, name) in names.enumerated() {
            let address = name.hasSuffix("Wings") ? "wings" : "two"
            timeline.add(id(index), name, for: address, lane: index % 2, at: .seconds(index), dependencies: [])
            timeline.start(id(index), at: .seconds(index))
            timeline.finish(id(index), at: .milliseconds(index * 1_000 + 2), .done)
        }
        // Another photo has the name, too.
        timeline.add(id(8), "Download Two Wings", for: "other", lane: 0, at: .seconds(5), dependencies: [])
        timeline.start(id(8), at: .seconds(5))
        timeline.add(id(9), "Filter Two Wings", for: "wings", lane: 0, at: .seconds(9), dependencies: [])
        let runs = timeline.lastRuns(of: "wings")
        #expect(runs.map(\.stage) == ["Download", "Decode"], "what has not begun has no time")
        #expect(runs.map(\.started) == [.zero, .seconds(3)], "the last one counts")
        #expect(timeline.lastRuns(of: "other").map(\.started) == [.seconds(5)])
        #expect(
            timeline.bars.map(\.photo)
                == ["Two Wings", "Two Wings", "Two", "Two Wings", nil, "Two Wings", "Two Wings"])
        #expect(timeline.bar(lane: 1, track: nil, at: .seconds(3), now: .seconds(9))?.name == "Decode Two Wings")
    }

    @Test @MainActor func shortTimesHaveADecimal() {
        var timeline = Timeline(lanes: 1)
        timeline.add(id(0), "Decode A", for: "1", lane: 0, at: .zero, dependencies: ["Download A"])
        timeline.start(id(0), at: .microseconds(700))
        timeline.finish(id(0), at: .microseconds(2_900), .done)
        #expect(
            TimelineText.text(of: timeline.bars[0], now: .seconds(1))
                == "A · Decode: waited 0.7 ms, ran 2.2 ms · after: A · Download")
        timeline.add(id(1), "Download A", for: "1", lane: 0, at: .zero, dependencies: [])
        timeline.start(id(1), at: .zero)
        let text = TimelineText.text(of: "A", at: "1", in: timeline, now: .seconds(2))
        #expect(text == "A: Download 2,000 ms · Decode 2.2 ms" || text == "A: Download 2000 ms · Decode 2.2 ms")
        #expect(TimelineText.text(of: "A", at: "2", in: timeline, now: .seconds(2)) == nil)
    }

    /// Two photos of one name.
    @Test(.timeLimit(.minutes(2))) func operationsSayWhichPhotoTheyWorkFor() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-timeline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 8, height: 6)))
        let pipeline = PhotoPipeline()
        let recorder = TimelineRecorder(pipeline.pending.queues, now: .zero)
        var addresses: [String] = []
        for number in 0..<2 {
            let file = folder.appending(path: "\(number).png")
            try picture.write(to: file)
            let request = ImageRequest(address: file, filter: .classic, allowsLocalFiles: true)
            addresses.append(request.address.text)
            let task = pipeline.task(for: request, of: Photo.ID(number), label: "IMG_0001") { _ in }
            await withCheckedContinuation { over in task.start { over.resume() } }
        }
        let wanted = ["Download", "Wait for memory", "Decode", "Filter"]
        func stages(of address: String) -> [String?] { recorder.timeline.lastRuns(of: address).map(\.stage) }
        try await Self.wait(for: recorder) { timeline in
            addresses.allSatisfy { timeline.lastRuns(of: $0).count == wanted.count }
        }
        for address in addresses { #expect(stages(of: address) == wanted) }
        let bars = recorder.timeline.bars.filter { $0.photo != nil }
        #expect(bars.allSatisfy { $0.photo == "IMG_0001" } && bars.count == 2 * wanted.count)
    }

    @Test func theMainThreadsPastIsBounded() {
        var thread = MainThread(limit: 8)
        for index in 0..<100 {
            thread.draw(at: .seconds(index))
            thread.work(from: .seconds(index), to: .milliseconds(index * 1_000 + index))
        }
        #expect(thread.frames.count <= 8 && thread.frames.last == .seconds(99))
        #expect(thread.busy.count <= 8)
        #expect(thread.busy.map(\.isStall).allSatisfy { $0 })
        #expect(thread.busy(at: .milliseconds(99_050))?.from == .seconds(99))
        #expect(thread.busy(at: .milliseconds(99_100)) == nil, "then it answers again")
        thread.work(from: .seconds(200), to: .milliseconds(200_049))
        #expect(thread.busy.last?.isStall == false)
    }

    @Test func theEldestAreForgotten() {
        var timeline = Timeline(lanes: 1, limit: 8)
        for index in 0..<20 {
            timeline.add(id(index), "\(index)", lane: 0, at: .seconds(index), dependencies: [])
            timeline.start(id(index), at: .seconds(index))
            if index != 10 { timeline.finish(id(index), at: .seconds(index + 1), .done) }
        }
        #expect(timeline.bars.contains { $0.name == "10" && $0.finished == nil })
        timeline.finish(id(10), at: .seconds(30), .failed)
        #expect(timeline.bars.first { $0.name == "10" }?.outcome == .failed)
        #expect(timeline.isIdle)
        #expect(timeline.bars.last?.name == "19")
    }
}
