import Foundation
import TestServers
import XCTest

/// Names that take long to look up, in a process whose resolver answers when it is told to.
final class LookUpTests: DownloadTestCase {
    private var folder = URL(filePath: "/")

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-look-ups-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        super.tearDown()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Nobody can end the threads of libcurl in which names are looked up.
    func testNoMoreThanSixteenNamesAreLookedUpWhateverIsCancelled() throws {
        XCTAssertEqual(try run("cancelled"), ["inside 16", "answered 40", "most 16"])
    }

    func testNoMoreThanSixteenNamesAreLookedUpAlsoWhereThatTakesTooLong() throws {
        XCTAssertEqual(try run("timed-out"), ["timed out 16", "waiting 24", "answered 24", "most 16"])
    }

    /// One more is begun beside the first, which may have been begun without a network.
    func testWhatCancelledTransfersLookedUpServesTheNextOne() throws {
        XCTAssertEqual(try run("again"), ["answered 8", "all 2"])
    }

    func testAClientThatGoesDoesNotWaitForTheResolver() throws {
        XCTAssertEqual(try run("ended"), ["inside 1"])
    }

    /// What the child says of a run.
    private func run(_ name: String) throws -> [String] {
        let resolver = try PreloadedLibrary.make("slow-resolver", Self.resolver, in: folder)
        setenv("LD_PRELOAD", resolver.path, 1)
        defer { unsetenv("LD_PRELOAD") }
        let port = try XCTUnwrap(server.url("/ok").port)
        return try ChildProcess("transfer-child", ["look-ups", name, "\(port)"]).waitForEnd()
    }

    private static let resolver = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <netdb.h>
        #include <pthread.h>
        #include <string.h>

        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
        static int inside, most, all, answers;

        static int locked(const int *number) {
            pthread_mutex_lock(&lock);
            int value = *number;
            pthread_mutex_unlock(&lock);
            return value;
        }
        int look_ups_inside(void) { return locked(&inside); }
        int look_ups_most(void) { return locked(&most); }
        int look_ups_all(void) { return locked(&all); }
        int look_ups_answer(void) {
            pthread_mutex_lock(&lock);
            answers = 1;
            pthread_cond_broadcast(&change);
            pthread_mutex_unlock(&lock);
            return 0;
        }

        int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
            int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                dlsym(RTLD_NEXT, "getaddrinfo");
            if (!name || strncmp(name, "slow", 4)) return next(name, service, hints, found);
            pthread_mutex_lock(&lock);
            all++;
            inside++;
            if (inside > most) most = inside;
            while (!answers) pthread_cond_wait(&change, &lock);
            inside--;
            pthread_mutex_unlock(&lock);
            return next("127.0.0.1", service, hints, found);
        }
        """
}
