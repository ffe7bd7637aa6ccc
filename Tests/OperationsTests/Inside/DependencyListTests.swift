import Testing

@testable import OperationsCore

/// The list of dependencies, against an array.
@Suite struct DependencyListTests {
    /// A list that is emptied at the end, as an operation empties its own.
    private func withList(_ operations: ArraySlice<Operation>, _ body: (inout DependencyList) -> Void) {
        var list = DependencyList()
        for operation in operations { list.append(operation) }
        body(&list)
        while list.popLast() != nil {}
    }

    private let operations = (0..<4).map { _ in Operation() }

    @Test(arguments: 0...4) func holdsWhatWasAppendedInItsOrder(count: Int) {
        withList(operations.prefix(count)) { list in
            #expect(list.all == Array(operations.prefix(count)))
            #expect(list.isEmpty == (count == 0))
            for operation in operations { #expect(list.contains(operation) == list.all.contains(operation)) }
        }
    }

    @Test(arguments: 0..<4) func removesAnywhereAndAppendsAtTheEnd(index: Int) {
        withList(operations[...]) { list in
            let removals = [list.remove(operations[index]), list.remove(operations[index])]
            #expect(removals == [true, false])
            var rest = operations
            rest.append(rest.remove(at: index))
            list.append(operations[index])
            #expect(list.all == rest)
        }
    }

    @Test func popsUntilItIsEmpty() {
        withList(operations[...]) { list in
            var popped: Set<Operation> = []
            while let last = list.popLast() { popped.insert(last) }
            #expect(popped == Set(operations))
            #expect(list.isEmpty)
        }
    }

    @Test(arguments: [(0, 0), (0, 2), (1, 1), (1, 3), (2, 2), (3, 0)])
    func takesOverAnother(own: Int, others: Int) {
        withList(operations.prefix(own)) { first in
            withList(operations.dropFirst(own).prefix(others)) { second in
                first.moveAll(from: &second)
                #expect(Set(first.all) == Set(operations.prefix(own + others)))
                #expect(second.isEmpty)
            }
        }
    }

    @Test func keepsWhatItHoldsAliveAndNoLonger() {
        weak var head: Operation?
        weak var other: Operation?
        withList([]) { list in
            do {
                let (first, second) = (Operation(), Operation())
                list.append(first)
                list.append(second)
                (head, other) = (first, second)
            }
            #expect(head != nil && other != nil)
            for case let operation? in [head, other] {
                let isRemoved = list.remove(operation)
                #expect(isRemoved)
            }
            #expect(head == nil && other == nil)
        }
    }

    @Test func saysWhetherOneIsInAsLongAsThatIsQuick() {
        let many = (0...OperationList.indexedFrom).map { _ in Operation() }
        withList(many[...]) { list in
            #expect(list.containsQuickly(many[0]) == true)
            #expect(list.containsQuickly(many[1]) == nil)
            #expect(list.contains(many[1]))
            #expect(list.containsQuickly(many[1]) == true)
            #expect(list.containsQuickly(Operation()) == false)
        }
    }
}
