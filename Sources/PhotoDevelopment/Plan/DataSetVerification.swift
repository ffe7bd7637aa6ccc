import FoundationEssentials
import Transfers

/// Compares a data set that was merged with the shards that it was made of.
enum DataSetVerification {
    /// What is wrong with it, a sentence each; none where nothing was merged.
    static func damage(
        of committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)], in plans: PlanGenerations
    ) throws(PlaceError) -> [String] {
        let place = plans.place
        let names = Set(
            try place.names(in: PlanMerge.folder).filter { ShardNames.isShard($0) || ShardNames.isTable($0) })
        let hasIndex = try place.has(PlanMerge.index)
        guard hasIndex || !names.isEmpty else { return [] }
        var damage: [String] = []
        func note(_ name: String, _ problem: String) {
            damage.append("\(plans.path)/\(name) \(problem); classicphotos merge makes the data set anew")
        }
        let published = PublishedShards(committed, of: plans)
        for (generation, files) in published.files.enumerated() {
            let data = PlanGenerations.folder(generation, of: PlanOutput.data)
            let isSound = try Lanes.map(files.count, lanes: min(4, place.lanes)) { (index) throws(PlaceError) -> Bool in
                let (file, name) = (files[index], PlanMerge.folder + "/" + files[index].name)
                // A further name of what has been read.
                if try place.areOneFile(name, data + "/" + file.committed) { return true }
                return try place.file(name) == file.facts
            }
            for (file, isSound) in zip(files, isSound) where !isSound {
                note(
                    PlanMerge.folder + "/" + file.name,
                    names.contains(file.name) ? "is not what was committed" : "is missing")
            }
        }
        let known = Set(published.files.joined().map(\.name))
        for name in names.subtracting(known).sorted() {
            note(PlanMerge.folder + "/" + name, "belongs to no shard")
        }
        let text = try place.read(PlanMerge.totals, limit: 1 << 20)
        guard let text, let totals = try? JSONDecoder().decode(PlanMerge.Totals.self, from: text) else {
            note(PlanMerge.totals, text == nil ? "is missing" : "is damaged")
            return damage
        }
        if totals.generations != plans.outputs.count { note(PlanMerge.totals, "is of before the last plan was added") }
        for (name, facts) in (totals.files ?? [:]).sorted(by: { $0.key < $1.key }) {
            let file = try place.file(name)
            if file != facts { note(name, file == nil ? "is missing" : "is not what was merged") }
        }
        return damage
    }
}
