import Foundation
import Transfers

/// Ends the process while other threads digest, as caches have them.
func endAmidDigests() {
    let begun = DispatchSemaphore(value: 0)
    for _ in 0..<4 {
        Thread.detachNewThread {
            begun.signal()
            while true { _ = SHA256.hexDigest(of: Array("photo".utf8)) }
        }
    }
    for _ in 0..<4 { begun.wait() }
    // It has hung there, too.
    alarm(60)
    exit(0)
}
