import Foundation
import Synchronization

/// How many operations may begin on the threads of tasks that await them.
///
/// To wake a thread of the engine for a task operation, and one of Swift's again in the end, costs many times what an empty
/// one does; the thread of whoever awaits it is there already, and has nothing else to do. But until it is first suspended
/// the operation may block that thread, which is one of Swift's few. So one of them is always left to others.
enum AwaitedStart {
    private static let underWay = Atomic<Int>(0)
    private static let most = ProcessInfo.processInfo.activeProcessorCount - 1

    /// The current task's thread is one of Swift's, and of no lower priority: another executor may have no other thread, and the
    /// threads of background tasks leave what computes behind.
    static var isFit: Bool {
        withUnsafeCurrentTask { $0.map { $0.unownedTaskExecutor == nil && $0.priority >= .medium } ?? false }
    }

    /// True if one more may begin, which has to call `end` when the thread is free again.
    static func begin() -> Bool {
        guard underWay.add(1, ordering: .relaxed).newValue > most else { return true }
        end()
        return false
    }

    static func end() { underWay.subtract(1, ordering: .relaxed) }
}
