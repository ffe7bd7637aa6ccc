import OperationsCore

/// Work that waits for others, several at once.
package enum Lanes {
    /// Does something for each number, and waits until all is done.
    ///
    /// - Parameters:
    ///   - count: Numbers are from 0 and below this.
    ///   - lanes: How many at once; with one it is done on the calling thread.
    /// - Returns: What came of it, in the order of the numbers.
    /// - Throws: The first error; what has not begun by then is left.
    package static func map<Result: Sendable, Failure: Error>(
        _ count: Int, lanes: Int, _ body: @escaping @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        guard lanes > 1, count > 1 else {
            var results: [Result] = []
            for index in 0..<max(count, 0) { results.append(try body(index)) }
            return results
        }
        let state = Lock((next: 0, results: [Result?](repeating: nil, count: count), failure: Failure?.none))
        let queue = OperationQueue()
        queue.name = "Lanes"
        queue.maxConcurrentOperationCount = lanes
        let operations = (0..<min(lanes, count)).map { _ in
            BlockOperation {
                while let index = state.withLock({ state -> Int? in
                    guard state.failure == nil, state.next < count else { return nil }
                    defer { state.next += 1 }
                    return state.next
                }) {
                    do throws(Failure) {
                        let result = try body(index)
                        state.withLock { $0.results[index] = result }
                    } catch {
                        state.withLock { $0.failure = $0.failure ?? error }
                    }
                }
            }
        }
        queue.addOperations(operations, waitUntilFinished: true)
        let (results, failure) = state.withLock { ($0.results, $0.failure) }
        if let failure { throw failure }
        return results.compactMap { $0 }
    }
}
