import Operations
import Transfers

/// What happens to look-ups that take long.
final class LookUpRun {
    private let server: TransferServer
    private var client: TransferClient! = TransferClient(.init(usesEnvironmentProxy: false))
    private var names = 0

    init(_ server: TransferServer) { self.server = server }

    /// Their transfers are cancelled, again and again.
    func cancelled() {
        for round in 0..<5 {
            let downloads = start(100)
            wait("for turns") { self.client.activity.running + self.client.activity.waiting == downloads.count }
            if round == 0 { wait("for look-ups") { SlowResolver.inside == 16 } }
            for download in downloads { download.cancel() }
            wait("for their ends") { downloads.allSatisfy(\.isFinished) }
        }
        tell("inside", SlowResolver.inside)
        answer()
        // The client is as good as new.
        tell("answered", answers(start(40)))
        tell("most", SlowResolver.most)
    }

    /// Their transfers run out of the time for connecting.
    func timedOut() {
        let silent = start(16, connectTimeout: .milliseconds(200))
        wait("for time limits") { silent.allSatisfy(\.isFinished) }
        tell("timed out", silent.count { $0.error as? TransferError == .timeout(.connect, .milliseconds(200)) })
        let others = start(24)
        wait("for turns") { self.client.activity.running + self.client.activity.waiting == others.count }
        tell("waiting", client.activity.waiting)
        answer()
        tell("answered", answers(others))
        tell("most", SlowResolver.most)
    }

    /// The transfers of one host are cancelled, and others begin.
    func again() {
        for inside in 1...2 {
            let downloads = start(8, at: "slow.test")
            wait("for the look-up") { SlowResolver.inside == inside && self.client.activity.waiting == 7 }
            for download in downloads { download.cancel() }
            wait("for their ends") { downloads.allSatisfy(\.isFinished) }
        }
        let last = start(8, at: "slow.test")
        wait("for turns") { self.client.activity.waiting == 8 }
        answer()
        tell("answered", answers(last))
        tell("all", SlowResolver.all)
    }

    /// The client goes.
    func ended() {
        // The client has a connection then, and watches it, as the runtime does its timers.
        guard answers([server.download(with: client)]) == 1 else { return complain("there is no server") }
        wait("for its watch") { descriptors("eventpoll") == 2 }
        _ = start(1)
        wait("for the look-up") { SlowResolver.inside == 1 }
        server.cancelAll()
        wait("for its end") { self.server.downloads == 0 }
        client = nil
        wait("for the client's end") { descriptors("eventpoll") == 1 }
        tell("inside", SlowResolver.inside)
        answer()
    }

    /// - Parameter host: Whom they ask; nil for each another one.
    private func start(
        _ count: Int, at host: String? = nil, connectTimeout: Duration = .seconds(60)
    ) -> [DownloadOperation] {
        (0..<count).map { _ in
            names += 1
            return server.download(
                from: host ?? "slow-\(names).test", with: client, connectTimeout: connectTimeout)
        }
    }

    private func answer() {
        SlowResolver.answer()
        wait("for the resolver") { SlowResolver.inside == 0 }
    }
}
