import Glibc
import Transfers

/// Reads every byte that markers name, and of a data set that was made of them.
public struct PlanVerification: Sendable {
    /// How far the plan has come.
    public let status: PlanStatus
    /// What is damaged, gone or altered, a sentence each; those of ``PlanStatus/damage`` too.
    public private(set) var damage: [String]
    /// The shards whose every byte was read, damaged or not.
    public private(set) var read = 0
    /// The files that were removed.
    public private(set) var removed = 0
    /// Shards whose files are not what was committed.
    private(set) var damaged: [PlanGenerations.Shard] = []

    /// Whether shards, or their markers, are damaged: what a plan of repair is for. What is wrong with a data set alone is mended by
    /// merging again.
    public var hasDamagedShards: Bool { !status.damaged.isEmpty || !damaged.isEmpty }

    /// Whether all shards are there as they were committed.
    public var isWhole: Bool { status.isComplete && damage.isEmpty }

    /// Compares all files with their markers. Blocks until all is read.
    ///
    /// - Parameters:
    ///   - path: The output folder.
    ///   - collectsGarbage: Whether files are removed that lost: those of other attempts at shards that are committed, and what killed workers
    ///     left half written. Those of shards that are not committed stay, as somebody may be at work on them; and those of
    ///     damaged shards, as it may be the marker that is damaged. Of a shard that was made again whole, all stays that its earlier marker
    ///     names.
    /// - Throws: `planUnusable` or `planWithoutOutput` where the folder is none that tasks write to.
    public init(of path: String, collectsGarbage: Bool) throws(DevelopmentError) {
        try self.init(of: try PlanGenerations(path), collectsGarbage: collectsGarbage)
    }

    /// - Parameter readsDataSet: Whether what was merged is compared with the shards, too.
    init(
        of plans: PlanGenerations, collectsGarbage: Bool, readsDataSet: Bool = true
    ) throws(DevelopmentError) {
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        status = try PlanStatus(plans) { committed.append(($0, $1)) }
        damage = status.damage
        do throws(PlaceError) {
            // Bytes come over the network, or from one disk.
            let found = try Lanes.map(committed.count, lanes: min(4, plans.place.lanes)) {
                [committed] (index) throws(PlaceError) in
                try Self.damage(
                    of: committed[index].shard, committed[index].marker,
                    in: plans.outputs[committed[index].shard.generation])
            }
            var winners = plans.outputs.map { _ in [String: String]() }
            var whole: [Int: Int] = [:]
            for ((shard, marker), (sentences, isRead)) in zip(committed, found) {
                damage += sentences
                if isRead { read += 1 }
                if sentences.isEmpty {
                    winners[shard.generation][plans.outputs[shard.generation].name(ofShard: shard.number)] =
                        marker.attempt
                    whole[shard.number] = shard.generation
                } else {
                    damaged.append(shard)
                }
            }
            if readsDataSet, status.isComplete { damage += try DataSetVerification.damage(of: committed, in: plans) }
            guard collectsGarbage else { return }
            try Self.addReplaced(to: &winners, whole, plans)
            for (output, winners) in zip(plans.outputs, winners) {
                removed += try Self.collect(in: output.place, winners)
            }
        } catch {
            throw error.error(at: plans.path)
        }
    }

    /// Adds the attempts that markers name at shards that were made again whole in a later generation, by the names of the shards; an
    /// empty word where no marker names any. Where the marker is damaged nobody knows which attempt it is about.
    ///
    /// - Parameter whole: The generations of the shards that are whole.
    private static func addReplaced(
        to winners: inout [[String: String]], _ whole: [Int: Int], _ plans: PlanGenerations
    ) throws(PlaceError) {
        for (generation, output) in plans.outputs.enumerated() {
            for (task, shards) in output.plan.shardsByTask.enumerated() {
                for shard in shards where whole[shard.number] ?? 0 > generation {
                    let replaced = PlanGenerations.Shard(
                        number: shard.number, rows: shard.rows, generation: generation, task: task)
                    do throws(PlaceError) {
                        let marker = try plans.readMarker(of: replaced)
                        winners[generation][output.name(ofShard: shard.number)] = marker?.attempt ?? ""
                    } catch {
                        if case .store = error { throw error }
                    }
                }
            }
        }
    }

    /// Removes what lost.
    ///
    /// - Parameter winners: The attempts whose files stay, by the names of their shards.
    /// - Returns: How many files were removed.
    private static func collect(in place: any PlanPlace, _ winners: [String: String]) throws(PlaceError) -> Int {
        func isLost(_ name: String) -> Bool {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, PlanOutput.endings.contains(String(parts[2])),
                let winner = winners[String(parts[0])]
            else {
                return false
            }
            return winner != parts[1]
        }
        let lost = try place.names(in: PlanOutput.data).filter(isLost)
        let removed = try Lanes.map(lost.count, lanes: place.lanes) { (index) throws(PlaceError) in
            do throws(PlaceError) {
                try place.remove(PlanOutput.data + "/" + lost[index])
                return 1
            } catch {
                if case .store = error { throw error }
                return 0
            }
        }
        try place.clearAbandoned(in: ["", PlanOutput.data, PlanOutput.done, PlanMerge.folder]) { name, isOld in
            // What is merged has one name, whoever merges it: only its age says that nobody does.
            isLost(name) || isOld && PlanMerge.writes(name)
        }
        return removed.reduce(0, +)
    }

    /// What is wrong with the files of a shard, and whether all of them could be read.
    private static func damage(
        of shard: PlanGenerations.Shard, _ marker: ShardMarker, in output: PlanOutput
    ) throws(PlaceError) -> (sentences: [String], isRead: Bool) {
        var sentences: [String] = []
        var isRead = true
        for (name, expected) in output.files(ofShard: shard.number, marker) {
            let name = PlanOutput.data + "/" + name
            let place = "shard \(shard.number): \(output.path)/\(name)"
            var problem: String?
            do throws(PlaceError) {
                if let file = try output.place.file(name) {
                    if file != expected { sentences.append("\(place) is not what was committed") }
                } else {
                    problem = FileError(code: ENOENT).reason
                }
            } catch {
                if case .store = error { throw error }
                problem = error.reason
            }
            if let problem {
                sentences.append("\(place) cannot be read: \(problem)")
                isRead = false
            }
        }
        return (sentences, isRead)
    }
}
