/// What happened to the operations of some queues, as far back as there is room for.
///
/// A plain value: events go in, in the order of their times in each lane; the drawing reads it.
nonisolated struct Timeline: Sendable {
    enum Outcome: Sendable { case done, cancelled, failed }

    /// What is known of one operation; times are since the queues were made.
    struct Bar: Sendable {
        let name: String
        /// The queue's number.
        let lane: Int
        let added: Duration
        /// What it had to wait for when it was added.
        let dependencies: [String]
        /// When nothing was left that it had to wait for, but a place.
        var ready: Duration?
        var started: Duration?
        var finished: Duration?
        var outcome: Outcome?
        /// Which of the places side by side it runs in, from 0.
        var track = 0
        /// The stage and the photo that the name says; nil where somebody else has named it.
        let stage: String?
        let photo: String?
        /// The address of the photo, by which it is told apart from others with its name; nil where the operation is for none.
        let address: String?
    }

    /// How many wait in a lane from a moment on.
    struct Waiting: Sendable {
        let time: Duration
        let count: Int
    }

    struct Lane: Sendable {
        fileprivate(set) var waiting: [Waiting] = []
        /// How many wait now.
        fileprivate(set) var waitingCount = 0
        /// How many of these wait for nothing but a place.
        fileprivate(set) var readyCount = 0
        fileprivate(set) var runningCount = 0
        /// Which places side by side are taken.
        fileprivate var tracks: [Bool] = []

        /// How many ran side by side at most.
        var trackCount: Int { tracks.count }
    }

    private(set) var bars: [Bar] = []
    private(set) var lanes: [Lane]
    /// When the last event was.
    private(set) var lastEvent = Duration.zero
    /// The bars of operations that have not finished, counted from the very first bar.
    private var open: [ObjectIdentifier: Int] = [:]
    /// How many bars were let go.
    private var dropped = 0
    private let limit: Int

    /// - Parameters:
    ///   - lanes: How many queues there are.
    ///   - limit: How many operations are remembered; the eldest quarter is let go beyond it.
    init(lanes: Int, limit: Int = 20_000) {
        self.lanes = Array(repeating: Lane(), count: lanes)
        self.limit = max(4, limit)
    }

    /// How many operations there were, those that were let go too.
    var addedCount: Int { dropped + bars.count }

    /// Whether nothing waits or runs.
    var isIdle: Bool { lanes.allSatisfy { $0.waitingCount == 0 && $0.runningCount == 0 } }

    /// - Parameter address: That of the photo that it works for; nil for none. Default: none.
    mutating func add(
        _ operation: ObjectIdentifier, _ name: String, for address: String? = nil, lane: Int, at time: Duration,
        dependencies: [String]
    ) {
        guard open[operation] == nil else { return }
        makeRoom()
        open[operation] = dropped + bars.count
        let stage = Self.stages.first { name == $0 || name.hasPrefix($0 + " ") }
        let photo = stage.flatMap { $0 == name ? nil : String(name.dropFirst($0.count + 1)) }
        bars.append(
            Bar(
                name: name, lane: lane, added: time, dependencies: dependencies, stage: stage, photo: photo,
                address: address))
        wait(lane, 1, at: time)
    }

    mutating func ready(_ operation: ObjectIdentifier, at time: Duration) {
        guard let index = index(of: operation), bars[index].started == nil, bars[index].ready == nil else { return }
        bars[index].ready = time
        lanes[bars[index].lane].readyCount += 1
    }

    mutating func start(_ operation: ObjectIdentifier, at time: Duration) {
        guard let index = index(of: operation), bars[index].started == nil else { return }
        let lane = bars[index].lane
        let track = lanes[lane].tracks.firstIndex(of: false) ?? lanes[lane].tracks.count
        if track == lanes[lane].tracks.count { lanes[lane].tracks.append(true) }
        lanes[lane].tracks[track] = true
        lanes[lane].runningCount += 1
        bars[index].started = time
        bars[index].track = track
        waitNoMore(bars[index], at: time)
    }

    mutating func finish(_ operation: ObjectIdentifier, at time: Duration, _ outcome: Outcome) {
        guard let index = index(of: operation) else { return }
        open[operation] = nil
        bars[index].finished = time
        bars[index].outcome = outcome
        let lane = bars[index].lane
        if bars[index].started != nil {
            lanes[lane].tracks[bars[index].track] = false
            lanes[lane].runningCount -= 1
            lastEvent = max(lastEvent, time)
        } else {
            waitNoMore(bars[index], at: time)
        }
    }

    /// The stages that operations are named by, before the photo.
    static let stages = ["Download", "Wait for memory", "Preview", "Decode", "Filter", "Save"]

    /// The bar at a moment in a lane's track.
    ///
    /// - Parameter track: The place side by side; nil for any of them.
    func bar(lane: Int, track: Int?, at time: Duration, now: Duration) -> Bar? {
        bars.last { bar in
            guard bar.lane == lane, track == nil || bar.track == track, let started = bar.started else { return false }
            return started <= time && time <= bar.finished ?? now
        }
    }

    /// A bar that has started as it is by now.
    func present(_ bar: Bar) -> Bar {
        guard bar.finished == nil else { return bar }
        // One runs at a time at each place.
        return bars.last { $0.started == bar.started && $0.lane == bar.lane && $0.track == bar.track } ?? bar
    }

    /// The last operation of each stage that the photo of an address went through, in the order of their beginnings.
    func lastRuns(of address: String) -> [Bar] {
        var found: [String: Bar] = [:]
        for bar in bars where bar.address == address && bar.started != nil {
            if let stage = bar.stage { found[stage] = bar }
        }
        return found.values.sorted { ($0.started ?? .zero) < ($1.started ?? .zero) }
    }

    private func index(of operation: ObjectIdentifier) -> Int? {
        open[operation].flatMap { $0 >= dropped ? $0 - dropped : nil }
    }

    private mutating func waitNoMore(_ bar: Bar, at time: Duration) {
        if bar.ready != nil { lanes[bar.lane].readyCount -= 1 }
        wait(bar.lane, -1, at: time)
    }

    private mutating func wait(_ lane: Int, _ change: Int, at time: Duration) {
        lanes[lane].waitingCount += change
        lanes[lane].waiting.append(Waiting(time: time, count: lanes[lane].waitingCount))
        if lanes[lane].waiting.count > 3 * limit { lanes[lane].waiting.removeFirst(limit) }
        lastEvent = max(lastEvent, time)
    }

    private mutating func makeRoom() {
        guard bars.count >= limit else { return }
        // Those that have not finished stay, so that their ends find them; there are few of them at the beginning.
        let eldestOpen = open.values.min().map { $0 - dropped } ?? bars.count
        let count = min(limit / 4, eldestOpen)
        bars.removeFirst(count)
        dropped += count
    }
}
