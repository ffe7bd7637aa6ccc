import Glibc
import Operations
import PhotoPipeline

/// The standard input of another process, which it has passed on to this one; it can be read once.
public final class PassedInput: Hashable, Sendable {
    /// The directory in which the other process was started, for paths that are relative.
    let currentDirectory: String
    let descriptor: Int32

    /// Takes over an open descriptor, and closes it in the end.
    public init(owning descriptor: Int32, currentDirectory: String) {
        self.descriptor = descriptor
        self.currentDirectory = currentDirectory
    }

    deinit { close(descriptor) }

    public static func == (left: PassedInput, right: PassedInput) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Catalog {
    /// Reads a catalog from another process, on a thread of the engine.
    static func load(from input: PassedInput) async throws(Catalog.LoadingError) -> Catalog {
        let queue = OperationQueue()
        queue.name = "Catalog queue"
        let result = await queue.outcome { () throws(CatalogError) in
            try Catalog.load(standardInput: input.descriptor, currentDirectory: input.currentDirectory)
        }
        do throws(CatalogError) { return try result.get() } catch { throw .notRead(error) }
    }
}
