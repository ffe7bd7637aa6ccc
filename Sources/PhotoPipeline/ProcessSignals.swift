import Glibc

/// The signals of a program that uses the pipeline.
package enum ProcessSignals {
    /// The signals that whoever started the process does not have it ignore.
    ///
    /// What starts a program may have it ignore some: `nohup` hangups, so that it goes on without its terminal, and a shell
    /// without job control Ctrl-C for what it has started in the background. They stay ignored, as
    /// [glibc's manual](https://www.gnu.org/software/libc/manual/html_node/Initial-Signal-Actions.html) asks of programs.
    ///
    /// - Parameter signals: Signals by their numbers.
    package static func notIgnored(_ signals: [Int32]) -> [Int32] { signals.filter { !isIgnored($0) } }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // Functions cannot be compared in Swift, and `SIG_IGN` is a number in the place of one: both have a pointer's size.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
