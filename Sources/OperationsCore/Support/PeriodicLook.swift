import Dispatch
import Foundation
import Synchronization

/// Has something looked into from time to time, for as long as somebody asks for it.
final class PeriodicLook: Sendable {
    private let milliseconds: Int
    private let look: @Sendable () -> Void
    private let isUnderWay = Atomic<Bool>(false)

    /// - Parameters:
    ///   - milliseconds: The time between two looks.
    ///   - look: May ask for another look. Runs on several threads at once where one takes longer than that time.
    init(everyMilliseconds milliseconds: Int, _ look: @escaping @Sendable () -> Void) {
        self.milliseconds = milliseconds
        self.look = look
    }

    /// Asks for a look, at what the calling thread has written before.
    @inline(__always)
    func ask() {
        if !isUnderWay.load(ordering: .relaxed) { begin() }
    }

    @inline(never)
    private func begin() {
        guard !isUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
            isUnderWay.store(false, ordering: .sequentiallyConsistent)
            // What those have written who have found it under way until now is seen after a moment.
            usleep(1_000)
            look()
        }
    }
}
