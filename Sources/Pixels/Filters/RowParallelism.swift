/// Who works on several parts of a large picture at the same time.
///
/// Filters have no threads of their own; a caller with processors to spare lends them. With Dispatch:
///
///     RowParallelism(width: 4) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
public struct RowParallelism: Sendable {
    /// How many parts are worked on at a time, at least 1.
    public let width: Int

    private let perform: @Sendable (_ count: Int, _ part: @Sendable (Int) -> Void) -> Void

    /// Work on several parts at a time.
    ///
    /// - Parameters:
    ///   - width: How many parts to make at a time, at least 1; best the number of idle processors.
    ///   - perform: Calls `part` once with each number from 0 to below `count`, on whichever threads, and returns when
    ///     all calls have.
    public init(
        width: Int, perform: @escaping @Sendable (_ count: Int, _ part: @Sendable (Int) -> Void) -> Void
    ) {
        self.width = max(1, width)
        self.perform = perform
    }

    /// Everything on the calling thread.
    public static let none = RowParallelism(width: 1) { count, part in
        for number in 0..<count { part(number) }
    }

    /// Smaller pictures are done before other threads have woken up.
    static let smallestImage = 2_000_000
    /// Pixels of a part, so that a cancelled run stops soon in a very large picture too.
    private static let mostPixels = 1 << 20

    /// Has `count` rows, or columns, worked on in parts. Their order is not said.
    ///
    /// - Parameters:
    ///   - pixels: How many a row has.
    ///   - meter: Asked on the calling thread, before each round of parts.
    ///   - body: Works on a part; called from several threads.
    /// - Returns: false if the meter stopped it.
    func forEachPart(
        of count: Int, pixels: Int, meter: inout WorkMeter, _ body: @Sendable (Range<Int>) -> Void
    ) -> Bool {
        let (all, isHuge) = count.multipliedReportingOverflow(by: pixels)
        let width = isHuge || all >= Self.smallestImage ? min(width, max(1, count)) : 1
        let part = max(1, min(Self.mostPixels / max(1, pixels), (count + width - 1) / width))
        for start in stride(from: 0, to: count, by: part * width) {
            let end = min(count, start + part * width)
            guard meter.goesOn(after: (end - start) * pixels) else { return false }
            let parts = (end - start + part - 1) / part
            @Sendable func run(_ number: Int) {
                let first = start + number * part
                body(first..<min(end, first + part))
            }
            if parts == 1 { run(0) } else { perform(parts, run) }
        }
        return true
    }
}

/// The memory of a picture that several threads write to, each other parts of it.
///
/// `@unchecked Sendable`: whoever makes it sees to it that no two threads are at the same bytes, and that the memory
/// outlives them.
struct SharedPixels: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
}
