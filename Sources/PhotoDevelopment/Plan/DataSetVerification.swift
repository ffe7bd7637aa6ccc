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
            let problems = try Lanes.map(files.count, lanes: min(4, place.lanes)) {
                (index) throws(PlaceError) -> String? in
                let (file, name) = (files[index], PlanMerge.folder + "/" + files[index].name)
                // A further name of what has been read.
                if place.areOneFile(name, data + "/" + file.committed) { return nil }
                return try problem(of: name, file.facts, in: place)
            }
            for (file, problem) in zip(files, problems) {
                if let problem { note(PlanMerge.folder + "/" + file.name, problem) }
            }
        }
        let known = Set(published.files.joined().map(\.name))
        for name in names.subtracting(known).sorted() {
            note(PlanMerge.folder + "/" + name, "belongs to no shard")
        }
        let text: Data?
        do throws(PlaceError) {
            text = try place.read(PlanMerge.totals, limit: 1 << 20)
        } catch {
            if case .store = error { throw error }
            note(PlanMerge.totals, "cannot be read: \(error.reason)")
            return damage
        }
        guard let text, let totals = try? JSONDecoder().decode(PlanMerge.Totals.self, from: text) else {
            note(PlanMerge.totals, text == nil ? "is missing" : "is damaged")
            return damage
        }
        if totals.generations != plans.outputs.count { note(PlanMerge.totals, "is of before the last plan was added") }
        for (name, facts) in totals.files.sorted(by: { $0.key < $1.key }) {
            if let problem = try problem(of: name, facts, in: place) { note(name, problem) }
        }
        return damage
    }

    /// What is wrong with a file; nil where nothing is.
    private static func problem(
        of name: String, _ facts: ShardMarker.File, in place: any PlanPlace
    ) throws(PlaceError) -> String? {
        do throws(PlaceError) {
            guard let file = try place.file(name) else { return "is missing" }
            return file == facts ? nil : "is not what was merged"
        } catch {
            if case .store = error { throw error }
            return "cannot be read: \(error.reason)"
        }
    }
}
