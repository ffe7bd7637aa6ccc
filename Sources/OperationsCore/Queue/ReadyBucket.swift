/// The ready elements of one priority, in the order of adding.
///
/// Nearly all of them come in that order and join a line. Those that come late, because a dependency held them
/// back or their priority changed, go to a heap beside it; the first of the bucket is the first of both. In the order
/// `lifo` both are taken from the other end.
struct ReadyBucket<Element: ReadyElement> {
    private struct Entry {
        var sequence: UInt64
        /// Nil once it was removed from the middle of the line.
        var element: Unmanaged<Element>?
    }

    private var line: [Entry] = []
    /// Entries of `line` before this one are gone.
    private var head = 0
    /// What the index of the first entry of `line` counts from, so that indexes outlive trimming.
    private var base = 0
    private var liveInLine = 0
    private var late = LateHeap<Element>()
    /// Which of them comes first.
    var order = ExecutionOrder.fifo

    var count: Int { liveInLine + late.count }
    var isEmpty: Bool { liveInLine == 0 && late.isEmpty }

    var first: Unmanaged<Element>? {
        guard liveInLine > 0 else { return late.first(in: order)?.element }
        let next = order == .fifo ? head : line.count - 1
        guard let firstLate = late.first(in: order), order.puts(firstLate.sequence, before: line[next].sequence) else {
            return line[next].element
        }
        return firstLate.element
    }

    mutating func insert(_ element: Element, level: UInt8) {
        if liveInLine > 0, line[line.count - 1].sequence > element.sequence {
            late.insert(element, level: level)
        } else {
            element.storePlace = StorePlace(level: level, isLate: false, index: base + line.count)
            line.append(Entry(sequence: element.sequence, element: .passUnretained(element)))
            liveInLine += 1
        }
    }

    mutating func popFirst(level: UInt8) -> Unmanaged<Element>? {
        if late.isEmpty, order == .fifo, liveInLine > 0, let first = line[head].element {
            // What `remove` comes to in the usual case.
            first._withUnsafeGuaranteedRef { $0.storePlace = .none }
            line[head].element = nil
            head += 1
            liveInLine -= 1
            let isTrim = liveInLine > 0 ? line[head].element != nil : head == line.count
            if isTrim, line.count <= 64 || liveInLine * 2 >= line.count { return first }
            trim(level: level)
            return first
        }
        guard let first else { return nil }
        first._withUnsafeGuaranteedRef { remove($0, at: $0.storePlace) }
        return first
    }

    mutating func remove(_ element: Element, at place: StorePlace) {
        element.storePlace = .none
        if place.isLate {
            late.remove(at: place.index, level: place.level)
        } else {
            line[place.index - base].element = nil
            liveInLine -= 1
            trim(level: place.level)
        }
    }

    // MARK: The line

    /// Keeps the head of the line at a live entry and the line at most twice as long as what lives in it.
    private mutating func trim(level: UInt8) {
        guard liveInLine > 0 else {
            // Not every time that the last one goes, as in a chain.
            head = line.count
            guard line.count > 64 else { return }
            base += line.count
            line.removeAll(keepingCapacity: line.count <= 1_024)
            head = 0
            return
        }
        while line[head].element == nil { head += 1 }
        while line[line.count - 1].element == nil { line.removeLast() }
        guard line.count > 64, liveInLine * 2 < line.count else { return }
        if liveInLine == line.count - head {
            line.removeFirst(head)
            base += head
        } else {
            line.removeAll { $0.element == nil }
            for (index, entry) in line.enumerated() {
                entry.element?._withUnsafeGuaranteedRef {
                    $0.storePlace = StorePlace(level: level, isLate: false, index: base + index)
                }
            }
        }
        head = 0
    }
}
