import Catalogs
import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// The rows of a task, a shard at a time, in order; for one thread.
final class TaskRows {
    private let path: String
    private let rowsPerShard: Int
    private let reader: CompressedLines

    /// - Parameters:
    ///   - plan: The plan.
    ///   - task: One of its tasks.
    ///   - folder: The plan's folder.
    init(of plan: RunPlan, task: Int, in folder: String) throws(DevelopmentError) {
        path = folder + "/" + RunPlan.file(ofTask: task)
        rowsPerShard = plan.rowsPerShard
        do throws(CatalogError) {
            reader = try CompressedLines(path: path)
        } catch {
            throw .planUnusable(path: path, reason: "\(error)")
        }
    }

    /// The next rows as a catalog of their own, with what stands in the plan beside them.
    ///
    /// - Parameter count: How many there are.
    func next(_ count: Int) throws(DevelopmentError) -> (catalog: Catalog, numbers: [Int], entries: [String?]) {
        do throws(CatalogError) {
            let lines = try reader.lines(count)
            // Addresses are absolute.
            let catalog = try Catalog(
                lines: lines, origin: .standardInput(currentDirectory: "/"), keys: CatalogKeys(keepsEntries: true))
            let parts = catalog.map { $0.entry.flatMap(TaskLine.parts) }
            guard catalog.count == count, parts.allSatisfy({ $0 != nil }) else {
                throw CatalogError.notACatalog(reason: "\(count) rows were to follow, and \(catalog.count) are there")
            }
            return (catalog, parts.map { $0?.number ?? 0 }, parts.map { $0?.entry })
        } catch {
            throw .planUnusable(path: path, reason: "\(error)")
        }
    }

    /// Passes over rows.
    func skip(_ count: Int) throws(DevelopmentError) {
        do throws(CatalogError) {
            _ = try reader.lines(count)
        } catch {
            throw .planUnusable(path: path, reason: "\(error)")
        }
    }
}
