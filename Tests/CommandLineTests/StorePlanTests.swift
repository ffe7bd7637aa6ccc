import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// Plans whose shards go to an object store, a small one of the tests' own; `make check-cluster` has a real one.
final class StorePlanTests: PlanTestCase {
    private var store: StoreServer!
    private let (source, target) = ("s3://bucket/a plan", "s3://bucket/out/ü")
    private static let secret = "5ecret/Key+"

    override func setUpWithError() throws {
        try super.setUpWithError()
        store = try StoreServer()
        try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    }

    override func tearDown() {
        store.stop()
        store = nil
        super.tearDown()
    }

    /// Where what is on its way lies.
    private var staging: URL { folder.appending(path: "tmp") }

    private func start(
        _ words: [String], _ variables: [String: String] = [:], limits: String = ":"
    ) throws -> ProgramRun {
        let known = [
            "AWS_ENDPOINT_URL": store.endpoint, "AWS_ACCESS_KEY_ID": "who", "AWS_SECRET_ACCESS_KEY": Self.secret,
            "AWS_MAX_ATTEMPTS": "3", "AWS_REGION": "nowhere", "AWS_SESSION_TOKEN": "5ecretToken", "no_proxy": "*",
            "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_PROFILE": "",
            "TMPDIR": staging.path,
        ].merging(variables) { $1 }
        return try ProgramRun(
            words,
            limits: known.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'; " }.joined() + limits)
    }

    private func run(
        _ words: [String], _ variables: [String: String] = [:], limits: String = ":", line: UInt = #line
    ) throws -> (status: Int32, said: String) {
        let run = try start(words, variables, limits: limits)
        let status = run.wait()
        let said = run.output + run.error
        XCTAssertFalse(said.contains("5ecret") || said.contains("secret words"), said, line: line)
        return (status, said)
    }

    private func makeStoredPlan() throws {
        let made = try run([
            "plan", localCatalog(), "-o", source, "--tasks", "3", "--rows-per-shard", "4", "--filter", "none", "--size",
            "16",
        ])
        XCTAssertEqual(made.status, 0, made.said)
    }

    private func taskWords(_ number: Int) -> [String] {
        ["develop", "--plan", source, "--task", "\(number)", "-o", target]
    }

    /// Brings what is in the store to the folder that other checks look at.
    private func download() throws {
        for (key, bytes) in store.objects where key.hasPrefix("out/ü/") {
            let file = output.appending(path: String(key.dropFirst(6)))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
    }

    private func checkMerged(line: UInt = #line) throws {
        for command in ["merge", "verify", "status"] {
            let done = try run([command, target])
            XCTAssertEqual(done.status, 0, done.said, line: line)
        }
        try download()
        try checkDataSet(line: line)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: staging.path), [], line: line)
    }

    func testEachTaskTwiceAtOnceLosesAndDoublesNothing() throws {
        try makeStoredPlan()
        store.setPageSize(5)
        let tasks = try (0..<6).map { try start(taskWords($0 / 2)) }
        for task in tasks { XCTAssertEqual(task.wait(), 0, task.error) }
        try checkMerged()
        // Who came second has removed what was its own.
        XCTAssertEqual(try attemptsThatLost(), 0)
        XCTAssertEqual(store.uploadCount, 0)
        // What is published is not copied again.
        let copies = store.heads.filter { $0.contains("x-amz-copy-source") }.count
        try checkMerged()
        XCTAssertEqual(store.heads.filter { $0.contains("x-amz-copy-source") }.count, copies)
        let again = try run(taskWords(1))
        XCTAssertEqual(again.status, 0)
        XCTAssert(again.said.contains(" 0 of "), again.said)
        // A plan is not made a second time in one place.
        XCTAssertEqual(try run(["plan", localCatalog(), "-o", source]).status, 4)
        for name in ["a plan/plan.json", "out/ü/plan.json"] {
            XCTAssertNotNil(store.objects[name])
        }
    }

    /// What is wrong is on this machine, and not in the store.
    func testATemporaryFolderThatCannotBeWrittenIsNamed() throws {
        try makeStoredPlan()
        let nowhere = folder.appending(path: "nowhere").path
        for (words, status) in [(taskWords(0), 75), (["plan", try localCatalog(), "-o", "s3://bucket/other"], 4)] {
            let done = try run(words, ["TMPDIR": nowhere])
            XCTAssertEqual(done.status, Int32(status), done.said)
            let sentence =
                "cannot write to the temporary folder \(nowhere): no such file or directory; TMPDIR names another one"
            XCTAssert(done.said.contains(sentence), done.said)
            XCTAssertFalse(done.said.contains("s3://"), done.said)
        }
        // The limit on a file's size stands in for a full disk.
        let full = try run(taskWords(0), limits: "ulimit -f 8")
        XCTAssertEqual(full.status, 75, full.said)
        XCTAssert(full.said.contains(staging.path) && full.said.contains("TMPDIR names another folder"), full.said)
    }

    /// What the article about many machines calculates with.
    func testAShardAndItsMergeCostSixRequestsEach() throws {
        try makeStoredPlan()
        func requests(_ words: [String]) throws -> Int {
            let before = store.heads.count
            XCTAssertEqual(try run(words).status, 0)
            return store.heads.count - before
        }
        _ = try requests(taskWords(0))
        let markers = { self.store.objects.keys.count { $0.hasPrefix("out/ü/done/") } }
        let before = markers()
        let task = try requests(taskWords(1))
        let shards = markers() - before
        let done = try requests(taskWords(1))
        // A shard that is done is asked for; another one is asked for, has three files, is still of this plan, and has a marker.
        XCTAssertEqual(task - 6 * shards, done - shards)
        XCTAssertLessThan(done - shards, 12)
        _ = try requests(taskWords(2))
        let merge = try requests(["merge", target])
        XCTAssert((0..<markers()).contains(merge - 6 * markers()), "\(merge) requests for \(markers()) shards")
    }

    func testTasksThatAreKilledLoseAndDoubleNothing() throws {
        try makeStoredPlan()
        let seed =
            ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        print("SEED=\(seed)")
        var state = seed
        func random(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for task in 0..<3 {
            for _ in 0..<3 {
                let run = try start(taskWords(task))
                let count = store.heads.count + random(below: 20)
                store.wait(until: { $0.count >= count }, while: { run.isRunning })
                run.send(SIGKILL)
                run.wait()
            }
            let end = try run(taskWords(task))
            XCTAssertEqual(end.status, 0, end.said)
        }
        let collected = try run(["verify", "--gc", target])
        XCTAssertEqual(collected.status, 0, collected.said)
        try checkMerged()
        XCTAssertEqual(try attemptsThatLost(), 0)
    }

    func testAnAnswerThatIsLostCostsNothing() throws {
        try makeStoredPlan()
        for part in ["plan.json", "done/00000.json", "done/00003.json", "data/00001."] {
            store.fail(.init("PUT /bucket/out/%C3%BC/" + part, losesAnswer: true))
        }
        for number in 0..<3 { XCTAssertEqual(try run(taskWords(number)).status, 0) }
        try checkMerged()
    }

    func testWhatFailedAndWhatWasDamagedIsPlannedAgain() throws {
        try makeStoredPlan()
        for number in 0..<3 { XCTAssertEqual(try run(taskWords(number)).status, 0) }
        let tar = try XCTUnwrap(store.objects.keys.first { $0.contains("/data/00002.") && $0.hasSuffix(".tar") })
        store.set(tar, Data("altered".utf8))
        store.set("out/ü/done/00001.json", Data("{}".utf8))
        let verify = try run(["verify", "--gc", target])
        XCTAssertEqual(verify.status, 1)
        XCTAssert(verify.said.contains("s3://" + "bucket/" + tar) && verify.said.contains("00001.json"), verify.said)
        XCTAssertEqual(try run(["merge", target]).status, 1)
        let repair = try run(["plan", "--repair", target, "-o", "s3://bucket/repair"])
        XCTAssertEqual(repair.status, 0, repair.said)
        for number in 0..<2 {
            _ = try run(["develop", "--plan", "s3://bucket/repair", "--task", "\(number)", "-o", target])
        }
        try checkMerged()
        // Photos that have come meanwhile; this plan is in a folder.
        for row in 0..<rows where row % 10 == 9 {
            try Self.image(.jpeg, width: 24, height: 16).write(to: folder.appending(path: "\(row).jpg"))
        }
        XCTAssertEqual(try run(["plan", "--failed-of", target, "-o", plan.path, "--tasks", "1"]).status, 0)
        XCTAssertEqual(try run(["develop", "--plan", plan.path, "--task", "0", "-o", target]).status, 0)
        XCTAssertEqual(try run(["merge", target]).status, 0)
        let status = try run(["status", target])
        XCTAssert(status.said.contains("\(rows) photos written and 0 failed"), status.said)
        XCTAssertEqual(try run(["plan", "--repair", target, "-o", "s3://bucket/more"]).status, 1)
    }

    func testWhatStopsATaskIsNamed() throws {
        try makeStoredPlan()
        let cases: [(StoreServer.Fault, status: Int32, part: String)] = [
            (.init("GET", status: 403, code: "SignatureDoesNotMatch"), 2, "SignatureDoesNotMatch"),
            (.init("PUT /bucket/out/%C3%BC/data", status: 400, code: "ExpiredToken"), 2, "ExpiredToken"),
            (
                .init(
                    "PUT", status: 403, code: "RequestTimeTooSkewed", headers: ["Date": "Mon, 01 Jan 2001 00:00:00 GMT"]
                ),
                2, "clock of this machine"
            ),
            (.init("PUT /bucket/out/%C3%BC/data", status: 403, code: "QuotaExceeded"), 75, "full (QuotaExceeded)"),
            (.init("PUT /bucket/out/%C3%BC/done", status: 507, code: "XMinioStorageFull"), 75, "full"),
            (.init("PUT /bucket/out/%C3%BC/data", status: 503, code: "SlowDown", times: 3), 75, "SlowDown"),
            (.init("PUT", status: 501, code: "NotImplemented"), 2, "conditional writes"),
        ]
        for (fault, status, part) in cases {
            store.fail(fault)
            let run = try run(taskWords(0))
            XCTAssertEqual(run.status, status, run.said)
            XCTAssert(run.said.contains(part), run.said)
            XCTAssertEqual(store.objects.keys.filter { $0.contains("/done/") }, [], part)
            if !fault.line.contains("done") {
                XCTAssertEqual(store.objects.keys.filter { $0.contains("/data/") }, [], part)
            }
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: staging.path), [])
            store.clearFaults()
            for key in store.objects.keys where key.hasPrefix("out/") { store.set(key, nil) }
        }
        XCTAssertEqual(try run(taskWords(0), ["AWS_ACCESS_KEY_ID": ""]).status, 2)
        XCTAssertEqual(try run(["status", "s3://elsewhere/out"]).status, 2)
        XCTAssertEqual(try run(["status", "s3://Bucket"]).status, 2)
        XCTAssertEqual(try run(["status", "s3://bucket/nothing"]).status, 3)
        XCTAssertEqual(try run(["develop", localCatalog(), "-o", target]).status, 2)
        store.stop()
        XCTAssertEqual(try run(taskWords(0)).status, 75)
        XCTAssertEqual(try run(["status", target]).status, 4)
    }

    func testAStoreWithoutConditionsIsRefusedBeforeAnythingIsDone() throws {
        try makeStoredPlan()
        store.ignoreConditions()
        let task = try run(taskWords(0))
        XCTAssertEqual(task.status, 2)
        XCTAssert(task.said.contains("shared folder"), task.said)
        XCTAssertEqual(store.objects.keys.filter { $0.hasPrefix("out/") }, [])
    }

    /// Runs a task of a stored plan whose store is busy for what begins so, and has it end once that was asked for twice.
    private func endTask(whileBusyAt line: String) throws -> ProgramRun {
        try makeStoredPlan()
        store.fail(.init(line, status: 503, code: "SlowDown", times: 1_000))
        let before = store.heads.count
        let task = try start(taskWords(0), ["AWS_MAX_ATTEMPTS": "50"])
        store.wait { heads in
            heads.dropFirst(before).count { $0.hasPrefix(line) } >= 2
        } while: {
            task.isRunning
        }
        task.send(SIGTERM)
        XCTAssertEqual(task.wait(), 75, task.error)
        return task
    }

    func testATaskThatIsToEndGivesItsShardUp() throws {
        let begin = Date()
        _ = try endTask(whileBusyAt: "PUT /bucket/out/%C3%BC/data")
        XCTAssertLessThan(Date().timeIntervalSince(begin), 60)
        XCTAssertEqual(store.objects.keys.filter { $0.contains("/done/") || $0.contains("/data/") }, [])
    }

    /// Nobody waits for longer than half a minute for the end of a task.
    func testATaskThatIsToEndWaitsForNoMarker() throws {
        let task = try endTask(whileBusyAt: "PUT /bucket/out/%C3%BC/done")
        XCTAssert(task.error.contains("the shard at hand is given up"), task.error)
        store.clearFaults()
        let again = try run(taskWords(0))
        XCTAssertEqual(again.status, 0, again.said)
    }

    func testAMergeThatIsToEndLeavesNothingBehind() throws {
        try makeStoredPlan()
        for number in 0..<3 { XCTAssertEqual(try run(taskWords(number)).status, 0) }
        let line = "PUT /bucket/out/%C3%BC/index.jsonl"
        store.fail(.init(line, status: 503, code: "SlowDown", times: 1_000))
        let merge = try start(["merge", target], ["AWS_MAX_ATTEMPTS": "50"])
        store.wait { heads in
            heads.count { $0.hasPrefix(line) } >= 2
        } while: {
            merge.isRunning
        }
        merge.send(SIGTERM)
        XCTAssertEqual(merge.wait(), 143, merge.error)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: staging.path), [])
        store.clearFaults()
        try checkMerged()
    }

    func testATaskThatIsToEndBeforeItHasItsPlanIsTriedAgain() throws {
        _ = try endTask(whileBusyAt: "GET /bucket/a%20plan/plan.json")
    }

    func testATaskThatIsToEndBeforeItsFirstShardIsTriedAgain() throws {
        _ = try endTask(whileBusyAt: "PUT")
    }

    func testUploadsThatNobodyEndsAreCleared() throws {
        try makeStoredPlan()
        XCTAssertEqual(try run(taskWords(0)).status, 0)
        let shard = try XCTUnwrap(store.objects.keys.first { $0.contains("/done/") }).suffix(10).prefix(5)
        store.beginUpload("out/ü/data/\(shard).lost.tar")
        // Of a shard that is not committed.
        store.beginUpload("out/ü/data/00999.other.tar")
        store.set("out/ü/data/\(shard).lost.jsonl", Data())
        let collected = try run(["verify", "--gc", target])
        XCTAssert(collected.said.contains("1 file removed"), collected.said)
        XCTAssertEqual(store.uploadCount, 1)
    }

    func testUploadsOfAMergeThatWasKilledAreClearedWhenTheyAreOld() throws {
        try makeStoredPlan()
        XCTAssertEqual(try run(taskWords(0)).status, 0)
        let (old, young) = (Date(timeIntervalSinceNow: -90_000), Date(timeIntervalSinceNow: -80_000))
        for name in ["index.jsonl", "dataset/00000.tar", "dataset/00000.parquet"] {
            store.beginUpload("out/ü/" + name, at: old)
        }
        let others = [
            // Somebody may be at work on these.
            ("out/ü/dataset/00001.tar", young), ("out/ü/index.jsonl", young), ("out/ü/data/00999.other.tar", old),
            // And these are nobody's here.
            ("out/ü/notes.jsonl", old), ("out/index.jsonl", old),
        ]
        for (key, time) in others { store.beginUpload(key, at: time) }
        XCTAssertEqual(try run(["verify", "--gc", target]).status, 1)
        XCTAssertEqual(store.uploadKeys, others.map(\.0).sorted())
    }
}
