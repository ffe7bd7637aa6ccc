import Synchronization

/// Operations that were added to a queue and that the queue has not looked at yet.
///
/// A push takes no lock, so that those who add do not get in the way of the workers. Pushing is all that there is
/// to do while somebody attends to the intake: whoever set that mark has promised to look in here before the
/// queue can run dry. Otherwise the one who pushed has to see to it. The mark changes under the queue's lock only.
///
/// The operations are linked through `nextMember`; each push hands over a reference.
struct Intake: ~Copyable {
    /// The address of the newest operation; its lowest bit is the mark.
    private let head = Atomic<UInt>(0)
    /// Roughly, as two threads may count as one.
    private let pushes = Atomic<UInt32>(0)

    private static let attended: UInt = 1
    /// After so many pushes it should be emptied, so that nobody has to take out very many under the queue's lock.
    private static let length: UInt32 = 256

    /// Adds an operation, which may be gone when this returns.
    /// - Returns: True if somebody attends.
    @inline(__always)
    func push(_ operation: Unmanaged<Operation>) -> Bool {
        let address = UInt(bitPattern: operation.toOpaque())
        var newest = head.load(ordering: .relaxed)
        while true {
            operation._withUnsafeGuaranteedRef { $0.nextMember = Self.operation(newest) }
            let (exchanged, current) = head.weakCompareExchange(
                expected: newest, desired: address | newest & Self.attended,
                successOrdering: .releasing, failureOrdering: .relaxed)
            if exchanged { return newest & Self.attended != 0 }
            newest = current
        }
    }

    /// Counts a push that nobody had to be told of.
    /// - Returns: True if whoever pushed should see to it that the intake is emptied.
    @inline(__always)
    func countPush() -> Bool {
        let count = pushes.load(ordering: .relaxed) &+ 1
        pushes.store(count, ordering: .relaxed)
        return count % Self.length == 0
    }

    /// Takes all operations out, under the queue's lock.
    /// - Returns: The operations in the order in which they were pushed; nil if there are none.
    func takeAll() -> ArrivalList? {
        let mark = head.load(ordering: .relaxed)
        guard mark > Self.attended else { return nil }
        var next = Self.operation(head.exchange(mark & Self.attended, ordering: .acquiring))
        var list = ArrivalList()
        while let operation = next {
            next = operation._withUnsafeGuaranteedRef { $0.nextMember }
            list.prepend(operation)
        }
        return list
    }

    /// Sets or takes off the mark, under the queue's lock.
    /// - Returns: False if the mark cannot be taken off, since something was pushed that has to be taken out first.
    func mark(isAttended: Bool) -> Bool {
        if isAttended {
            head.bitwiseOr(Self.attended, ordering: .relaxed)
            return true
        }
        return head.compareExchange(expected: Self.attended, desired: 0, ordering: .relaxed).exchanged
    }

    @inline(__always)
    private static func operation(_ head: UInt) -> Unmanaged<Operation>? {
        UnsafeRawPointer(bitPattern: head & ~attended).map { .fromOpaque($0) }
    }
}
