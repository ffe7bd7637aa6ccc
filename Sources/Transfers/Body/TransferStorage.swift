import Glibc

/// Where a client's transfers put what does not stay in memory.
struct TransferStorage: Sendable {
    /// What is kept for later attempts, if anything is.
    var partials: PartialDownloads?
    /// Where files without a name are made.
    var temporaryFolder: String

    init(_ configuration: TransferClient.Configuration) {
        partials = configuration.partialDownloads
        // Not /tmp, which often is memory.
        temporaryFolder = configuration.temporaryFolder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    }
}
