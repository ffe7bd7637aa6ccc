extension RandomAccessCollection where Index == Int {
    /// The first index at which a condition holds, which holds for none before and for all behind; the end if for none.
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
