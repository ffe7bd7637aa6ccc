import Transfers

/// All that has been planned for an output folder: the first plan, whose files are in the folder itself, and what was planned later of
/// rows that failed and of shards that were damaged, in `gen-1`, `gen-2` and so on.
///
/// Each shard is looked for in the last generation that has it, and nowhere else: a shard that is planned anew takes the place of the
/// older one, from the moment at which somebody begins with that plan.
struct PlanGenerations: Sendable {
    /// A shard that counts.
    struct Shard: Sendable {
        let number: Int
        let rows: Int
        /// Where it is looked for.
        let generation: Int
        let task: Int
    }

    let place: any PlanPlace
    /// The folders, the first plan's first.
    let outputs: [PlanOutput]
    /// All shards that count, by their numbers.
    let shards: [Shard]

    /// - Throws: `planUnusable` where the folder is none of a plan, or where a generation goes on from something else;
    ///   `planWithoutOutput` where it is a plan's own, and no task has written to it.
    init(_ path: String) throws(DevelopmentError) {
        try self.init(try PlanPlaces.open(path))
        guard outputs.count == 1, try Self.hasRowsAlone(place) else { return }
        let plan = outputs[0].plan
        throw .planWithoutOutput(path: path, rows: plan.rows, tasks: plan.taskRows.count, shards: plan.shardCount)
    }

    /// Whether a place has the rows of tasks, as plans have, and nothing that a task has written.
    private static func hasRowsAlone(_ place: any PlanPlace) throws(DevelopmentError) -> Bool {
        do throws(PlaceError) {
            let folders = try Set(place.folders())
            return folders.contains(RunPlan.tasks) && folders.isDisjoint(with: [PlanOutput.data, PlanOutput.done])
        } catch {
            throw error.error(at: place.path, ofFile: DevelopmentError.placeUnreadable)
        }
    }

    init(_ place: any PlanPlace) throws(DevelopmentError) {
        let path = place.path
        var outputs = [try PlanOutput(place)]
        let generation = outputs[0].plan.generation
        guard generation == 0 else {
            throw .planUnusable(path: path, reason: "it is generation \(generation) of another folder; name that one")
        }
        while try Self.isThere(outputs.count, in: place) {
            let next = try PlanOutput(Self.place(outputs.count, in: place))
            guard next.plan.generation == outputs.count, next.plan.parent?.plan == outputs.last?.digest else {
                throw .planUnusable(
                    path: next.path, reason: "it does not go on from generation \(outputs.count - 1) of \(path)")
            }
            outputs.append(next)
        }
        try Self.checkNothingFollows(outputs.count, in: place)
        var shards: [Int: Shard] = [:]
        for output in outputs {
            for (task, numbers) in output.plan.shardsByTask.enumerated() {
                for shard in numbers {
                    shards[shard.number] = Shard(
                        number: shard.number, rows: shard.rows, generation: output.plan.generation, task: task)
                }
            }
        }
        (self.place, self.outputs) = (place, outputs)
        self.shards = shards.values.sorted { $0.number < $1.number }
    }

    private static func isThere(_ generation: Int, in place: any PlanPlace) throws(DevelopmentError) -> Bool {
        do throws(PlaceError) {
            return try Self.place(generation, in: place).has(RunPlan.file)
        } catch {
            throw error.error(at: place.path, ofFile: DevelopmentError.placeUnreadable)
        }
    }

    /// Without a generation that was taken away from among them, what came later would be left out, and nobody would know.
    private static func checkNothingFollows(_ count: Int, in place: any PlanPlace) throws(DevelopmentError) {
        let names: [String]
        do throws(PlaceError) {
            names = try place.folders()
        } catch {
            throw error.error(at: place.path, ofFile: DevelopmentError.placeUnreadable)
        }
        for name in names {
            guard let number = generation(of: name), number > count, try isThere(number, in: place) else { continue }
            throw .planUnusable(
                path: place.path, reason: "there is generation \(number), and generation \(count) is not there")
        }
    }

    private static let prefix = "gen-"

    /// What the folder of a generation is called.
    static func folder(_ generation: Int, in path: String) -> String {
        generation == 0 ? path : "\(path)/\(prefix)\(generation)"
    }

    /// The name of something in the folder of a generation, from the first one's.
    static func folder(_ generation: Int, of name: String) -> String {
        generation == 0 ? name : "\(prefix)\(generation)/\(name)"
    }

    /// The folder of a generation.
    static func place(_ generation: Int, in place: any PlanPlace) -> any PlanPlace {
        generation == 0 ? place : place.inner("\(prefix)\(generation)")
    }

    /// The generation whose folder has this name; nil where it is that of something else.
    private static func generation(of name: String) -> Int? {
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
    }

    var first: RunPlan { outputs[0].plan }

    var path: String { place.path }

    /// The marker of a shard; nil where it is not committed.
    ///
    /// - Throws: `damaged` for one that is damaged, or of another plan or shard.
    func readMarker(of shard: Shard) throws(PlaceError) -> ShardMarker? {
        guard let marker = try outputs[shard.generation].readMarker(ofShard: shard.number) else { return nil }
        guard marker.isSound(rows: shard.rows) else { throw .damaged }
        return marker
    }

    /// Reads the markers of all shards, in their order, as many at a time as is worth it.
    ///
    /// - Throws: Where an object store is away or refuses; what is wrong with one marker is told of with it.
    func readMarkers(
        _ each: (Shard, Result<ShardMarker?, PlaceError>) -> Void
    ) throws(DevelopmentError) {
        do throws(PlaceError) {
            var listed: [Set<String>?] = []
            for output in outputs { listed.append(try output.place.listed(in: PlanOutput.done)) }
            var start = 0
            while start < shards.count {
                let chunk = shards[start..<min(start + 1024, shards.count)]
                let found = try Lanes.map(chunk.count, lanes: place.lanes) { [listed] (index) throws(PlaceError) in
                    try marker(of: chunk[chunk.startIndex + index], listed)
                }
                for (shard, marker) in zip(chunk, found) { each(shard, marker) }
                start += chunk.count
            }
        } catch {
            throw error.error(at: path)
        }
    }

    private func marker(
        of shard: Shard, _ listed: [Set<String>?]
    ) throws(PlaceError) -> Result<ShardMarker?, PlaceError> {
        if let names = listed[shard.generation],
            !names.contains(outputs[shard.generation].name(ofShard: shard.number) + ".json")
        {
            return .success(nil)
        }
        do throws(PlaceError) {
            return .success(try readMarker(of: shard))
        } catch {
            if case .store = error { throw error }
            return .failure(error)
        }
    }

    /// What the next plan goes on from.
    ///
    /// - Parameter tasks: Its shards.
    func parent(of tasks: [[RunPlan.Shard]]) -> RunPlan.Parent {
        RunPlan.Parent(
            plan: outputs[outputs.count - 1].digest, generation: outputs.count, rows: first.catalogRows,
            shards: first.shardCount, tasks: tasks)
    }

    /// The number of a shard that is none of those that are there.
    var nextNumber: Int { (shards.last?.number ?? -1) + 1 }
}
