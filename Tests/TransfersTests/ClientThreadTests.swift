import Glibc
import Testing

@testable import Transfers

@Suite struct ClientThreadTests {
    @Test func aThreadHearsOfItsOwnFaultsAndOfNothingElse() async {
        let blocked: Set<Int32> = await withCheckedContinuation { continuation in
            let isStarted = ClientThread.start {
                var mask = sigset_t()
                pthread_sigmask(SIG_SETMASK, nil, &mask)
                continuation.resume(returning: Set((1...31).filter { sigismember(&mask, $0) == 1 }))
            }
            #expect(isStarted)
        }
        #expect(blocked.isSuperset(of: [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM, SIGUSR1]))
        #expect(blocked.isDisjoint(with: [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT]))
    }
}
