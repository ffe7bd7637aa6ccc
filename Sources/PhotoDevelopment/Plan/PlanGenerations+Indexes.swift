import Transfers

extension PlanGenerations {
    /// Goes through the indexes of shards, in their order. Several are read at a time.
    ///
    /// - Parameter mostBytes: About so many bytes of indexes are read before what they say is looked at, and at least one index.
    ///   Default: 16 MiB.
    /// - Throws: What `body` throws; `shardsDamaged` for an index that is not what was committed.
    func eachIndex(
        of committed: [(shard: Shard, marker: ShardMarker)], readingAhead mostBytes: Int = 1 << 24,
        _ body: (Shard, ShardMarker, [UInt8]) throws(DevelopmentError) -> Void
    ) throws(DevelopmentError) {
        var start = 0
        while start < committed.count {
            var (end, bytes) = (start, 0)
            while end < committed.count, bytes < mostBytes {
                bytes += committed[end].marker.index.size
                end += 1
            }
            let chunk = Array(committed[start..<end])
            let indexes = try Lanes.map(chunk.count, lanes: place.lanes) { (number) throws(DevelopmentError) in
                try index(of: chunk[number].shard, chunk[number].marker)
            }
            for ((shard, marker), index) in zip(chunk, indexes) { try body(shard, marker, index) }
            start = end
        }
    }

    /// The index of a shard, if it is what was committed.
    private func index(of shard: Shard, _ marker: ShardMarker) throws(DevelopmentError) -> [UInt8] {
        let output = outputs[shard.generation]
        let name = PlanOutput.data + "/" + output.indexName(ofShard: shard.number, marker.attempt)
        do throws(PlaceError) {
            let bytes = try output.place.read(name, limit: marker.index.size)
            if let bytes, ShardMarker.File(of: bytes) == marker.index { return Array(bytes) }
        } catch {
            throw error.error(at: output.path + "/" + name)
        }
        throw .shardsDamaged(output: path, shards: [shard.number])
    }

    /// What is known of each row, from the indexes of all shards; nil where there is one generation, which has each row once.
    func outcomes(_ committed: [(shard: Shard, marker: ShardMarker)]) throws(DevelopmentError) -> RowOutcomes? {
        guard outputs.count > 1 else { return nil }
        var outcomes = RowOutcomes(rows: first.catalogRows, generations: outputs.count)
        try eachIndex(of: committed) { (shard, _, index) throws(DevelopmentError) in
            try eachLine(of: index, in: shard) { line, _ in
                outcomes.add(line.row, isWritten: line.isWritten, in: shard.generation)
            }
        }
        return outcomes
    }

    /// Goes through the lines of a shard's index.
    func eachLine(
        of index: [UInt8], in shard: Shard, _ body: (IndexLine, UnsafeRawBufferPointer) -> Void
    ) throws(DevelopmentError) {
        let isSound = index.withUnsafeBytes { bytes in
            IndexLine.each(of: bytes) { line, text in
                guard line.row < first.catalogRows else { return false }
                body(line, text)
                return true
            }
        }
        if !isSound { throw .shardsDamaged(output: path, shards: [shard.number]) }
    }
}
