import Glibc

/// The end of a program that uses the pipeline.
package enum ProcessEnd {
    /// Ends the process at once, after what was printed is written.
    ///
    /// Threads of the pipeline may be at work: a transfer, a decode, a digest. `exit` has libraries clear up what these use.
    ///
    /// - Parameter status: The exit status.
    package static func exit(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}
