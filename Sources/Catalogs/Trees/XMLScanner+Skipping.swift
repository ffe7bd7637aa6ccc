/// Going past an element in which something is wrong.
extension XMLScanner {
    /// Goes past the element at the position, whatever is inside.
    ///
    /// A wrong tag costs no more than the element that it stands in: an end tag ends what it is named for, with all inside that was
    /// not ended. The tags of the property list itself are not the element's if it did not open them.
    /// - Returns: False if there is none, or the source ends in it.
    mutating func skipElement() -> Bool {
        var open: [XMLTag] = []
        do throws(SourceDamage) {
            repeat {
                try skipLooseText()
                if try skipComment() { continue }
                guard byte != nil else { return false }
                if starts(with: "</") {
                    guard !open.isEmpty else { return false }
                    guard let end = try ending(of: &open) else { return true }
                    move(to: end)
                } else if isAtStartTag {
                    let start = position
                    let tag = try startTag()
                    // An unknown element that nobody ends, such as “<br>”, ends where the list goes on.
                    if let outermost = open.first, !isKnown(outermost), isNext(tag) {
                        move(to: start)
                        return true
                    }
                    if !tag.isEmpty { open.append(tag) }
                } else {
                    move(to: position + 1)
                    try skipLooseText()
                }
            } while !open.isEmpty
            return try skipStrayEndTags()
        } catch {
            return false
        }
    }

    /// Ends those that the end tag at the position ends; nil if it belongs to what is around the element.
    private func ending(of open: inout [XMLTag]) throws(SourceDamage) -> Int? {
        let end = try endTag()
        if isStructure(end) {
            guard let index = open.lastIndex(where: { $0.isNamed(like: end, bytes) }) else { return nil }
            open.removeSubrange(index...)
            return end.end
        }
        // Not past a dictionary or an array, and not far: many that are wrong would each be looked for through all.
        let near = max(0, open.count - Self.farthest)..<open.count
        let first = near.last { isStructure(open[$0]) }.map { $0 + 1 } ?? near.lowerBound
        if let index = (first..<open.count).last(where: { open[$0].isNamed(like: end, bytes) }) {
            open.removeSubrange(index...)
        } else if let last = open.last, !isStructure(last) {
            // Misspelt.
            open.removeLast()
        }
        return end.end
    }

    /// Goes past end tags that end nothing.
    private mutating func skipStrayEndTags() throws(SourceDamage) -> Bool {
        while true {
            let place = position
            skipSpace()
            guard starts(with: "</"), case let tag = try endTag(), !isStructure(tag) else {
                move(to: place)
                return true
            }
            move(to: tag.end)
        }
    }

    /// How many open tags an end tag is looked for among.
    private static var farthest: Int { 64 }

    /// Whether a tag is of the property list's own structure.
    private func isStructure(_ tag: XMLTag) -> Bool {
        tag.isNamed("dict", bytes) || tag.isNamed("array", bytes) || tag.isNamed("plist", bytes)
    }

    /// Whether the next member or entry begins with a tag.
    private func isNext(_ tag: XMLTag) -> Bool { tag.isNamed("key", bytes) || tag.isNamed("dict", bytes) }

    /// Whether property lists have such an element.
    private func isKnown(_ tag: XMLTag) -> Bool {
        let known: [StaticString] = ["key", "string", "integer", "real", "true", "false", "date", "data"]
        return isStructure(tag) || known.contains { tag.isNamed($0, bytes) }
    }
}
