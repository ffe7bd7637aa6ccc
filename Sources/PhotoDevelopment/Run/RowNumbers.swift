/// Numbers of rows in order, of which millions may wait: the first one is taken first.
///
/// A plain value. It has runs of numbers that follow each other, each as the gap before it and its length, in seven bits a byte: a list
/// that is sorted by host is one run, and rows of two hosts that take turns cost two bytes each.
struct RowNumbers {
    /// The run that numbers are taken from.
    private var front = 0..<0
    /// The runs behind that one, from `head` on.
    private var runs: [UInt8] = []
    private var head = 0
    /// The run that numbers are added to, behind all others.
    private var back: Range<Int>?
    /// Where the run before that one ends.
    private var end = 0

    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The memory that it takes beside a fixed part.
    var byteCount: Int { runs.count }

    /// Adds a number that is larger than all that were added before.
    mutating func append(_ row: Int) {
        count += 1
        if let back, back.upperBound == row {
            self.back = back.lowerBound..<row + 1
            return
        }
        if let back {
            runs.append(varint: UInt64(back.lowerBound - end))
            runs.append(varint: UInt64(back.count))
            end = back.upperBound
        }
        back = row..<row + 1
    }

    /// Takes the smallest number.
    mutating func popFirst() -> Int? {
        guard count > 0 else { return nil }
        if front.isEmpty { beginRun() }
        count -= 1
        defer { front = front.dropFirst() }
        return front.lowerBound
    }

    private mutating func beginRun() {
        if head < runs.count {
            let start = front.upperBound + takeNumber()
            front = start..<start + takeNumber()
            // What was taken is let go from time to time, as each time moves the rest.
            if head > max(1_024, runs.count / 2) {
                runs.removeFirst(head)
                head = 0
            }
        } else if let back {
            (front, end) = (back, back.upperBound)
            self.back = nil
        }
    }

    private mutating func takeNumber() -> Int {
        var (number, shift) = (0, 0)
        while true {
            let byte = runs[head]
            head += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
