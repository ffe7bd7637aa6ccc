import Glibc
import Operations
import Transfers

/// What happens where there are no file descriptors for a while.
final class ShortageRun {
    private let server: TransferServer
    private var taken: [Int32] = []

    init(_ server: TransferServer) { self.server = server }

    /// The client is made meanwhile.
    func client() {
        takeDescriptors()
        let client = TransferClient(.init(usesEnvironmentProxy: false))
        tell("without room", failures([server.download(with: client)], "there are no free descriptors"))
        client.suspend(true)
        client.setWidth(1)
        giveBackDescriptors()
        // What was asked of it meanwhile holds.
        let downloads = (0..<3).map { _ in server.download(with: client) }
        wait("for turns") { client.activity.waiting == 3 }
        client.suspend(false)
        tell("answered", answers(downloads))
    }

    /// It has no part in it.
    func host() {
        let client = TransferClient(.init(usesEnvironmentProxy: false))
        waitForTimers()
        takeDescriptors()
        let reason = String(cString: strerror(EMFILE))
        tell("connections", failures((0..<8).map { _ in server.download(with: client) }, reason))
        tell("look-ups", failures((0..<8).map { _ in server.download(from: "name.test", with: client) }, reason))
        tell("resting", client.activity.restingHosts)
        giveBackDescriptors()
        tell("answered", answers([server.download(with: client)]))
    }

    /// It is over before the last attempt.
    func retry() {
        let client = TransferClient(.init(usesEnvironmentProxy: false))
        waitForTimers()
        takeDescriptors()
        let download = server.download(with: client, retries: 30)
        wait("for an attempt") { !download.failedAttempts.isEmpty }
        giveBackDescriptors()
        tell("answered", answers([download]))
    }

    /// What is to be sent cannot be opened at first.
    func upload() {
        let client = TransferClient(.init(usesEnvironmentProxy: false))
        waitForTimers()
        takeDescriptors()
        let upload = server.upload("/etc/passwd", with: client, retries: 30)
        wait("for an attempt") { !upload.failedAttempts.isEmpty }
        giveBackDescriptors()
        wait("for its end") { upload.isFinished }
        tell("answered", upload.result.map { if case .success = $0 { 1 } else { 0 } } ?? 0)
    }

    /// A client sees to it that there are descriptors for timers before they run short.
    private func waitForTimers() { wait("for timers") { descriptors("timerfd") > 0 } }

    private func takeDescriptors() {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(files, &limit)
        // So that there are not a million to be taken.
        limit.rlim_cur = min(limit.rlim_cur, 256)
        setrlimit(files, &limit)
        while true {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor < 0 { break }
            taken.append(descriptor)
        }
    }

    private func giveBackDescriptors() {
        for descriptor in taken { close(descriptor) }
        taken = []
    }
}
