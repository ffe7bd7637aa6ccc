import Catalogs
import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// The rows of a task, a shard at a time, in order; for one thread.
final class TaskRows {
    private let path: String
    private let reader: CompressedLines

    /// - Parameters:
    ///   - task: A task of the plan.
    ///   - plan: The plan, with which its file has to go.
    ///   - place: Where the plan is.
    init(task: Int, of plan: RunPlan, in place: any PlanPlace) throws(DevelopmentError) {
        path = place.path + "/" + RunPlan.file(ofTask: task)
        let file: LocalFile?
        do throws(PlaceError) {
            file = try place.local(RunPlan.file(ofTask: task))
        } catch {
            throw error.error(at: path, ofFile: DevelopmentError.placeUnreadable)
        }
        guard let file else { throw .planUnusable(path: path, reason: "it is not there") }
        // What is open stays, also when a copy is removed.
        defer { withExtendedLifetime(file) {} }
        let isOwn: Bool
        do throws(FileError) { isOwn = try plan.isFile(file.path, ofTask: task) } catch {
            if error.code == ENOENT { throw .planUnusable(path: path, reason: "it is not there") }
            throw .placeUnreadable(path: path, reason: error.reason)
        }
        guard isOwn else {
            throw .planUnusable(path: path, reason: "it is not the file that \(RunPlan.file) was made with")
        }
        do throws(CatalogError) {
            reader = try CompressedLines(path: file.path)
        } catch {
            throw Self.error(error, at: path)
        }
    }

    /// What a failure means: a file that cannot be read now may be one that can be read later.
    private static func error(_ error: CatalogError, at path: String) -> DevelopmentError {
        switch error {
        case .cannotRead(_, let reason): .placeUnreadable(path: path, reason: reason)
        case .outOfMemory: .placeUnreadable(path: path, reason: "\(error)")
        default: .planUnusable(path: path, reason: "\(error)")
        }
    }

    /// The next rows as a catalog of their own, with what stands in the plan beside them.
    ///
    /// - Parameter count: How many there are.
    func next(_ count: Int) throws(DevelopmentError) -> (catalog: Catalog, parts: [TaskLine.Parts]) {
        let catalog = try catalog(nextLines(count))
        let parts = catalog.compactMap { $0.entry.flatMap(TaskLine.parts) }
        guard catalog.count == count, parts.count == count else {
            throw .planUnusable(path: path, reason: "\(count) rows were to follow, and \(parts.count) are there")
        }
        return (catalog, parts)
    }

    private func catalog(_ lines: [UInt8]) throws(DevelopmentError) -> Catalog {
        do throws(CatalogError) {
            return try Self.catalog(lines)
        } catch {
            throw Self.error(error, at: path)
        }
    }

    /// Lines of a task as a catalog, whose entries are the lines.
    static func catalog(_ lines: [UInt8]) throws(CatalogError) -> Catalog {
        // An entry of the catalog lies one object deeper here. Addresses are absolute.
        let limits = CatalogLimits(maximumDepth: CatalogLimits().maximumDepth + 1)
        return try Catalog(
            lines: lines, origin: .standardInput(currentDirectory: "/"), limits: limits,
            keys: CatalogKeys(keepsEntries: true))
    }

    /// The lines of the next rows as they stand.
    func nextLines(_ count: Int) throws(DevelopmentError) -> [UInt8] {
        do throws(CatalogError) {
            return try reader.lines(count)
        } catch {
            throw Self.error(error, at: path)
        }
    }

    /// Passes over rows.
    func skip(_ count: Int) throws(DevelopmentError) { _ = try nextLines(count) }
}
