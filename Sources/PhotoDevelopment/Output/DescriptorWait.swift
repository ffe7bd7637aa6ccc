import Glibc
import Synchronization
import Transfers

/// Opens files where all file descriptors may be in use, and waits for one then: transfers come to their ends, and rows that are about to
/// be in the journal have most of the others.
enum DescriptorWait {
    /// What is opened.
    enum Purpose {
        /// A new result, which has its descriptor until its row is in the journal.
        case result
        /// What a batch of rows needs to get into the journal. No result takes a descriptor while it waits: results wait for the batch.
        case batch
    }

    private static let longest = Duration.seconds(30)
    private static let waitingBatches = Atomic(0)

    /// - Parameter open: Opens the file; called until it does.
    static func open<File>(_ purpose: Purpose, _ open: () throws(FileError) -> File) throws(FileError) -> File {
        let end = ContinuousClock.now + longest
        var isWaiting = false
        defer { if isWaiting { waitingBatches.subtract(1, ordering: .relaxed) } }
        while true {
            if purpose == .batch || waitingBatches.load(ordering: .relaxed) == 0 || .now >= end {
                do throws(FileError) { return try open() } catch {
                    guard error.isLackOfDescriptors, .now < end else { throw error }
                }
                if purpose == .batch, !isWaiting {
                    isWaiting = true
                    waitingBatches.add(1, ordering: .relaxed)
                }
            }
            usleep(10_000)
        }
    }
}
