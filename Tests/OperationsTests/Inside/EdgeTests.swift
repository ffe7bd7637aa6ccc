import OperationsTesting
import Testing

@testable import OperationsCore

/// The edges between operations, against arrays.
@Suite struct EdgeTests {
    /// Adding and removing at random, below and above the size from which on there is an index; some dependencies finish.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func areWhatArraysAre(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let dependents = (0..<3).map { _ in Operation() }
        let operations = (0..<40).map { _ in Operation() }
        var model: [[Operation]] = dependents.map { _ in [] }
        for _ in 0..<400 {
            let operation = operations[Int.random(in: operations.indices, using: &random)]
            let index = Int.random(in: dependents.indices, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: operation.start()
            case 1..<13:
                dependents[index].addDependency(operation)
                if !model[index].contains(operation) { model[index].append(operation) }
            default:
                dependents[index].removeDependency(operation)
                model[index].removeAll { $0 === operation }
            }
            for (dependent, expected) in zip(dependents, model) {
                #expect(dependent.dependencies == expected, "seed \(seed)")
                let unmet = expected.filter { !$0.isFinished }.count
                #expect(dependent.state.unmetDependencies == unmet, "seed \(seed)")
            }
        }
    }

    /// Each of those that wait for one takes its edge off, wherever it stands.
    @Test(arguments: 0..<4) func aDependentThatGoesLeavesTheOthers(index: Int) {
        let dependency = Operation()
        var dependents: [Operation] = (0..<4).map { _ in Operation() }
        for dependent in dependents { dependent.addDependency(dependency) }
        dependents.remove(at: index)
        #expect(dependents.allSatisfy { $0.state.unmetDependencies == 1 })
        dependency.start()
        #expect(dependents.allSatisfy { $0.isReady })
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1_000]) func theEndOfOneReachesAllThatWaitForIt(count: Int) {
        let dependency = Operation()
        let dependents = (0..<count).map { _ in Operation() }
        for dependent in dependents { dependent.addDependency(dependency) }
        #expect(!dependents.contains { $0.isReady })
        dependency.start()
        #expect(dependents.allSatisfy { $0.isReady })
    }

    @Test func dependenciesAreKeptAliveAndNoLonger() {
        weak var first: Operation?
        weak var second: Operation?
        let dependent = Operation()
        do {
            let operations = (Operation(), Operation())
            dependent.addDependency(operations.0)
            dependent.addDependency(operations.1)
            (first, second) = operations
        }
        #expect(first != nil && second != nil)
        for case let operation? in [first, second] { dependent.removeDependency(operation) }
        #expect(first == nil && second == nil)
    }

    /// What stays while others come and go has no more memory than it needs at once.
    @Test func roomIsUsedAgain() {
        let (list, dependent) = (EdgeList(nil), Operation())
        let operations = (0..<100).map { _ in Operation() }
        var nodes: Set<EdgeList.Node> = []
        var last = list.append(operations[0], of: dependent)
        for index in 1..<1_000 {
            nodes.insert(last)
            let next = list.append(operations[index % 100], of: dependent)
            _ = list.remove(last)
            last = next
        }
        #expect(nodes.count == 2)
        #expect(list.count == 1)
    }
}
