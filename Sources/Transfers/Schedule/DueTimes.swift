/// What is due when: a binary heap, the earliest first.
struct DueTimes<Element> {
    private var heap: [(time: Duration, element: Element)] = []

    var first: Duration? { heap.first?.time }

    mutating func insert(_ element: Element, at time: Duration) {
        heap.append((time, element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out what is due, if anything is.
    mutating func popFirst(at now: Duration) -> Element? {
        guard let first = heap.first, first.time <= now else { return nil }
        removeFirst()
        return first.element
    }

    /// Takes out what is first as long as that is so of it.
    mutating func removeFirst(while isMeant: (Element) -> Bool) {
        while let first = heap.first, isMeant(first.element) { removeFirst() }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].time < heap[least].time { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
