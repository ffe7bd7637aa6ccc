import Testing

@testable import OperationsCore

/// The list of dependencies, against an array.
@Suite struct DependencyListTests {
    private func list(_ operations: ArraySlice<Operation>) -> DependencyList {
        var list = DependencyList()
        for operation in operations { list.append(operation) }
        return list
    }

    private let operations = (0..<4).map { _ in Operation() }

    @Test(arguments: 0...4) func holdsWhatWasAppendedInItsOrder(count: Int) {
        let list = list(operations.prefix(count))
        #expect(list.count == count)
        #expect(Array(list) == Array(operations.prefix(count)))
    }

    @Test(arguments: 0..<4) func removesAnywhere(index: Int) {
        var list = list(operations[...])
        #expect(list.remove(at: index) == operations[index])
        var rest = operations
        rest.remove(at: index)
        #expect(Array(list) == rest)
    }

    @Test func popsFromTheEndUntilItIsEmpty() {
        var list = list(operations[...])
        var popped: [Operation] = []
        while let last = list.popLast() { popped.append(last) }
        #expect(popped == operations.reversed())
        #expect(list.isEmpty)
    }

    @Test(arguments: [(0, 0), (0, 2), (1, 1), (2, 2), (3, 0)]) func takesOverAnother(own: Int, others: Int) {
        var first = list(operations.prefix(own))
        var second = list(operations.dropFirst(own).prefix(others))
        first.moveAll(from: &second)
        #expect(Array(first) == Array(operations.prefix(own + others)))
        #expect(second.isEmpty)
    }
}
