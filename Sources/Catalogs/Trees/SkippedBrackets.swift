/// The brackets that are open inside a value that is gone past after damage.
///
/// A bracket that is missing, or one too many, costs no more than the value that it stands in: each is matched by its kind, those
/// inside that were not closed end with it, and one whose other half is nowhere in the value is passed over.
struct SkippedBrackets {
    /// Whether the value is a dictionary's, and not an array's.
    private let isInDictionary: Bool
    /// From the outermost on; true is a dictionary's.
    private var open: [Bool] = []
    /// How many of them are dictionaries', so that nobody need look for one that is not there.
    private(set) var dictionaryCount = 0

    init(inDictionary: Bool) { isInDictionary = inDictionary }

    var isEmpty: Bool { open.isEmpty }

    /// Whether the bracket that was opened last is an array's.
    var isInArray: Bool { open.last == false }

    /// The innermost one ends, whatever its kind.
    mutating func endInnermost() {
        if open.popLast() == true { dictionaryCount -= 1 }
    }

    /// Whether the value is an array's dictionary in which nothing else is open. Where another dictionary comes next, behind a
    /// comma, the bracket that ends this one is missing.
    var isBareEntry: Bool { !isInDictionary && open == [true] }

    mutating func begin(dictionary: Bool) {
        open.append(dictionary)
        if dictionary { dictionaryCount += 1 }
    }

    /// A closing bracket.
    /// - Returns: False if it is not the value's, but ends what is around it.
    mutating func end(dictionary: Bool) -> Bool {
        let count = dictionary ? dictionaryCount : open.count - dictionaryCount
        guard count > 0 else {
            // A dictionary ends with its last value, whatever that has left open. “]” inside an entry is rather one too many.
            return !(dictionary == isInDictionary && (dictionary || open.isEmpty))
        }
        while let last = open.popLast() {
            if last { dictionaryCount -= 1 }
            if last == dictionary { break }
        }
        return true
    }
}
