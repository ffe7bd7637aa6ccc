import Foundation
import Glibc
import TestServers
import XCTest

/// Tasks of a plan on a folder that fails.
final class PlanFaultTests: PlanTestCase {
    /// Puts something in the place of a file while something is done: a link to itself, which nobody can read.
    private func withLoop(at place: URL, _ body: () throws -> Void) throws {
        let away = folder.appending(path: "away")
        try FileManager.default.moveItem(at: place, to: away)
        try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: place.lastPathComponent)
        try body()
        try FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: away, to: place)
    }

    /// A library that has `fsync` fail for folders of a name.
    private func failingSync(of name: String) throws -> String {
        let library = try PreloadedLibrary.make(
            "sync-\(name)",
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            int fsync(int file) {
                char link[64], path[4096] = "";
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                if (readlink(link, path, sizeof path - 1) > 0 && !strcmp(strrchr(path, '/'), "/\(name)")) {
                    errno = EIO;
                    return -1;
                }
                int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
                return next(file);
            }
            """, in: folder)
        return "export LD_PRELOAD='\(library.path)'"
    }

    /// A library without which there are no locks.
    private func withoutLocks() throws -> URL {
        try PreloadedLibrary.make(
            "no-locks",
            """
            #include <errno.h>
            int flock(int file, int operation) {
                errno = ENOSYS;
                return -1;
            }
            """, in: folder)
    }

    /// Lustre may be mounted without locks; a commit needs none.
    func testAFolderNeedNotHaveLocks() throws {
        let library = try withoutLocks()
        setenv("LD_PRELOAD", library.path, 1)
        defer { unsetenv("LD_PRELOAD") }
        try makePlan(tasks: 2, rowsPerShard: 30)
        for number in 0..<2 {
            let run = try task(number)
            XCTAssertEqual(run.wait(), 0, run.error)
        }
        for command in ["merge", "verify"] {
            let (status, run) = try self.run(command)
            XCTAssertEqual(status, 0, run.error)
        }
        // What a run remembers is a database, which needs them.
        let catalog = try catalog([("a", "http://127.0.0.1:9/a.jpg")])
        let run = try ProgramRun(["develop", catalog, "-o", folder.appending(path: "run").path])
        XCTAssertEqual(run.wait(), 4, run.error)
        let reason = String(cString: strerror(ENOSYS)).lowercased()
        XCTAssert(run.error.contains(reason), run.error)
    }

    /// As on exFAT and on many file systems of user space. That is said before the catalog is read.
    func testAFolderHasToHaveHardLinks() throws {
        let library = try PreloadedLibrary.make(
            "no-links",
            """
            #include <errno.h>
            int link(const char *file, const char *name) {
                errno = EPERM;
                return -1;
            }
            """, in: folder)
        let limits = "export LD_PRELOAD='\(library.path)'"
        let missing = folder.appending(path: "missing.csv").path
        let refused = try ProgramRun(["plan", missing, "-o", plan.path, "--filter", "none"], limits: limits)
        XCTAssertEqual(refused.wait(), 4, refused.error)
        XCTAssert(refused.error.contains("its file system has no hard links, which plans need"), refused.error)
        try makePlan(tasks: 1)
        let task = try task(0, limits: limits)
        XCTAssertEqual(task.wait(), 75, task.error)
        XCTAssert(task.error.contains("its file system has no hard links, which plans need"), task.error)
    }

    /// Makes a plan of a list that comes slowly, and meanwhile another one in the same folder.
    ///
    /// - Parameter limits: Lines for the shell of both.
    /// - Returns: What the first one ended with, and what it said.
    private func planTwiceAtOnce(limits: String) throws -> (status: Int32, said: String) {
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let slow = try ProgramRun(
            ["plan", "-", "-o", plan.path, "--tasks", "2", "--filter", "none", "--size", "16"],
            limits: limits + "; exec <'\(pipe)'")
        let list = try FileHandle(forWritingTo: URL(filePath: pipe))
        // So long a row is written at once, after the first 4 MB.
        let caption = String(repeating: "long ", count: 100_000)
        try list.write(contentsOf: Data("url,caption\n".utf8))
        for row in 0..<20 { try list.write(contentsOf: Data("http://127.0.0.1:9/\(row).jpg,\(caption)\n".utf8)) }
        let tasks = plan.appending(path: "tasks").path
        wait("rows of the first one") {
            (try? FileManager.default.contentsOfDirectory(atPath: tasks))?.contains { $0.hasSuffix(".part") } == true
        }
        let quick = try ProgramRun(
            [
                "plan", localCatalog(), "-o", plan.path, "--tasks", "2", "--rows-per-shard", "30", "--filter", "none",
                "--size", "16",
            ], limits: limits)
        XCTAssertEqual(quick.wait(), 0, quick.error)
        XCTAssertTrue(slow.isRunning)
        try list.close()
        return (slow.wait(), slow.error)
    }

    func testOfTwoPlansAtOnceTheFirstWholeOneCounts() throws {
        let (status, said) = try planTwiceAtOnce(limits: "export LD_PRELOAD='\(withoutLocks().path)'")
        XCTAssertEqual(status, 4, said)
        XCTAssert(said.contains("there is a plan in it; take another folder"), said)
        // It is whole, and what the other one wrote is gone.
        let names = try FileManager.default.contentsOfDirectory(atPath: plan.appending(path: "tasks").path).sorted()
        XCTAssertEqual(names, ["00000.jsonl.zst", "00001.jsonl.zst"])
        for number in 0..<2 {
            let run = try task(number)
            XCTAssertEqual(run.wait(), 0, run.error)
        }
        try checkNothingIsLostOrDoubled()
    }

    /// A lock that holds for one machine alone is had by two at once.
    func testAPlanWhoseRowsAnotherMachineTakesAwayIsRefused() throws {
        let library = try PreloadedLibrary.make(
            "own-locks", "int flock(int file, int operation) { return 0; }", in: folder)
        let (status, said) = try planTwiceAtOnce(limits: "export LD_PRELOAD='\(library.path)'")
        XCTAssertEqual(status, 4, said)
        for number in 0..<2 {
            let run = try task(number)
            XCTAssertEqual(run.wait(), 0, run.error)
        }
        try checkNothingIsLostOrDoubled()
    }

    /// Tasks that are left where nothing says that nobody is at work on them.
    func testWithoutLocksTasksThatAreLeftStay() throws {
        try makePlan(tasks: 2)
        try FileManager.default.removeItem(at: plan.appending(path: "plan.json"))
        let words = ["plan", try localCatalog(), "-o", plan.path, "--filter", "none", "--tasks", "2"]
        let refused = try ProgramRun(words, limits: "export LD_PRELOAD='\(withoutLocks().path)'")
        XCTAssertEqual(refused.wait(), 4, refused.error)
        XCTAssert(refused.error.contains("there are tasks in it, without a plan"), refused.error)
        let again = try ProgramRun(words)
        XCTAssertEqual(again.wait(), 0, again.error)
    }

    /// Linux has `linkat` fail so for files of others, unless the caller may write to them.
    func testShardsOfAnotherUserAreSaidToBeSo() throws {
        try makePlan(tasks: 1, rowsPerShard: 60)
        XCTAssertEqual(try task(0).wait(), 0)
        let library = try PreloadedLibrary.make(
            "other-user",
            """
            #include <errno.h>
            #include <unistd.h>
            int linkat(int from, const char *name, int to, const char *other, int flags) {
                errno = EPERM;
                return -1;
            }
            uid_t geteuid(void) { return 12345; }
            """, in: folder)
        let merge = try ProgramRun(["merge", output.path], limits: "export LD_PRELOAD='\(library.path)'")
        XCTAssertEqual(merge.wait(), 4, merge.error)
        XCTAssert(merge.error.contains("the shards are another user's"), merge.error)
        try checkNothingIsLostOrDoubled()
    }

    func testWhatCannotBeReadForAWhileIsTriedAgain() throws {
        try makePlan(tasks: 1, rowsPerShard: 60)
        let rows = plan.appending(path: "tasks/00000.jsonl.zst")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        for place in [plan.appending(path: "plan.json"), rows] {
            try withLoop(at: place) {
                let run = try task(0)
                XCTAssertEqual(run.wait(), 75, place.path + run.error)
                XCTAssert(run.error.contains("cannot use \(plan.path)"), run.error)
            }
        }
        XCTAssertEqual(try task(0).wait(), 0)
        try withLoop(at: output.appending(path: "plan.json")) {
            XCTAssertEqual(try task(0).wait(), 75)
            for command in ["status", "merge", "verify"] { XCTAssertEqual(try run(command).status, 4, command) }
        }
        // A plan that goes on from one that cannot be looked at.
        let again = folder.appending(path: "again").path
        XCTAssertEqual(try ProgramRun(["plan", "--failed-of", output.path, "-o", again, "--tasks", "1"]).wait(), 0)
        try withLoop(at: output.appending(path: "plan.json")) {
            let run = try ProgramRun(["develop", "--plan", again, "--task", "0", "-o", output.path])
            XCTAssertEqual(run.wait(), 75, run.error)
        }
        // What is damaged, or is not there, will not come.
        try Data("damaged".utf8).write(to: rows)
        try FileManager.default.removeItem(at: output)
        XCTAssertEqual(try task(0).wait(), 3)
        try FileManager.default.removeItem(at: rows)
        XCTAssertEqual(try task(0).wait(), 3)
    }

    /// Engines know no other status of a task.
    func testATaskWhoseSummaryCannotBeWrittenIsDone() throws {
        try makePlan(tasks: 1, rowsPerShard: 60)
        for limits in ["exec 1>/dev/full", "exec 1>&-"] {
            let run = try task(0, limits: limits)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssert(run.error.contains("standard output"), run.error)
        }
    }

    func testVerifyCountsWhatItHasRead() throws {
        try makePlan(tasks: 1, rowsPerShard: 30)
        XCTAssertEqual(try task(0).wait(), 0)
        let shards = try names(in: "done").count
        XCTAssertGreaterThan(shards, 1)
        let tar = try XCTUnwrap(names(in: "data").sorted().first { $0.hasSuffix(".tar") })
        try withLoop(at: output.appending(path: "data/\(tar)")) {
            let verify = try run("verify")
            XCTAssertEqual(verify.status, 1)
            XCTAssert(verify.run.output.contains("\(shards - 1) of \(shards) shards read"), verify.run.output)
        }
        XCTAssert(try run("verify").run.output.contains("\(shards) of \(shards) shards read"))
        // What is damaged was read.
        let handle = try FileHandle(forWritingTo: output.appending(path: "data/\(tar)"))
        try handle.write(contentsOf: Data("!".utf8))
        try handle.close()
        let verify = try run("verify")
        XCTAssertEqual(verify.status, 1)
        XCTAssert(verify.run.output.contains("\(shards) of \(shards) shards read"), verify.run.output)
    }

    func testAMarkerWhoseNameIsNotSafeIsNoEnd() throws {
        try makePlan(tasks: 1, rowsPerShard: 30)
        let library = try failingSync(of: "done")
        // The second one finds the marker of the first one.
        for count in 1...2 {
            let run = try task(0, limits: library)
            XCTAssertEqual(run.wait(), 75, run.error)
            XCTAssert(run.error.contains("input/output error"), run.error)
            XCTAssertGreaterThanOrEqual(try names(in: "done").count, 1, "\(count)")
        }
        XCTAssertEqual(try task(0).wait(), 0)
        try checkNothingIsLostOrDoubled()
        XCTAssertEqual(try attemptsThatLost(), 0)
    }

    func testAShardWhoseMarkerCannotBeWrittenLeavesNothing() throws {
        try makePlan(tasks: 1, rowsPerShard: 60)
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        // A folder in which nobody makes files.
        let done = output.appending(path: "done")
        try FileManager.default.createSymbolicLink(atPath: done.path, withDestinationPath: "/proc")
        let run = try task(0)
        XCTAssertEqual(run.wait(), 75, run.error)
        XCTAssertEqual(try names(in: "data"), [])
        try FileManager.default.removeItem(at: done)
        XCTAssertEqual(try task(0).wait(), 0)
        try checkNothingIsLostOrDoubled()
    }

    func testAPlanWhoseTasksAreNotSafeIsNone() throws {
        let words = ["plan", try localCatalog(), "-o", plan.path, "--filter", "none", "--tasks"]
        let run = try ProgramRun(words + ["3"], limits: failingSync(of: "tasks"))
        XCTAssertEqual(run.wait(), 4, run.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: plan.appending(path: "plan.json").path))
        // What it left is in nobody's way, also where there are fewer tasks.
        let again = try ProgramRun(words + ["2"])
        XCTAssertEqual(again.wait(), 0, again.error)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: plan.appending(path: "tasks").path).sorted()
        XCTAssertEqual(tasks, ["00000.jsonl.zst", "00001.jsonl.zst"])
    }
}
