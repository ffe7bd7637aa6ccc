/// Elements in the order of arrival, in whatever number: adding one and taking the first cost the same always.
package struct Line<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    package var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : elements[head] }

    /// All of them, the first to come first.
    var all: [Element] { elements[head...].compactMap { $0 } }

    package init() {}

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 256)
            head = 0
        } else if head >= 256, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements = all.filter { !isRemoved($0) }
        head = 0
    }

    /// Leaves no more than the first `count`, and returns the others.
    mutating func removeAll(butFirst count: Int) -> [Element] {
        let kept = Array(all.prefix(count))
        defer {
            elements = kept
            head = 0
        }
        return Array(all.dropFirst(count))
    }
}
