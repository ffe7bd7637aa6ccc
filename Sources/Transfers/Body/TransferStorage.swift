import OperationsCore

/// Where a client's transfers put what does not stay in memory.
struct TransferStorage: Sendable {
    /// What is kept for later attempts, if anything is.
    var partials: PartialDownloads?
    /// Where files without a name are made.
    var temporaryFolder: String
    /// Where the files are opened, read, written and removed, one after the other: a slow disk holds up bodies that go to disk,
    /// and no event thread.
    let queue: OperationQueue

    init(_ configuration: TransferClient.Configuration) {
        queue = OperationQueue()
        queue.name = "Transfer disk queue"
        queue.maxConcurrentOperationCount = 1
        partials = configuration.partialDownloads
        temporaryFolder = configuration.temporaryFolder ?? UnnamedFile.folder
    }
}
