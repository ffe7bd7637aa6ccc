/// The hosts that a ``TransferSchedule`` remembers, each in a place that another one gets when it is forgotten.
struct KnownHosts<Host: Hashable> {
    private var table: [KnownHost<Host>] = []
    private var free: [Int32] = []
    private var placeOfHost: [Host: Int32] = [:]
    /// At how many hosts those are looked for that may be forgotten.
    private var most = longestMemory

    /// How many hosts are remembered at least, for how they failed and where they are.
    static var longestMemory: Int { 16_384 }

    var count: Int { placeOfHost.count }

    /// All places, also those that are free.
    var places: Range<Int32> { 0..<Int32(table.count) }

    /// Whether it is time to forget some.
    var isFull: Bool { count >= most }

    subscript(place: Int32) -> KnownHost<Host> {
        _read { yield table[Int(place)] }
        _modify { yield &table[Int(place)] }
    }

    func place(of host: Host) -> Int32? { placeOfHost[host] }

    mutating func insert(_ known: KnownHost<Host>, of host: Host) -> Int32 {
        let place = free.popLast() ?? Int32(table.count)
        if Int(place) == table.count { table.append(known) } else { self[place] = known }
        placeOfHost[host] = place
        return place
    }

    mutating func remove(_ place: Int32) {
        guard let host = self[place].host else { return }
        placeOfHost[host] = nil
        self[place] = KnownHost(nameEnd: KnownHost<Host>.forever)
        free.append(place)
    }

    /// As many hosts as there are now may come before it is full again, so that looking for idle ones costs each of them little.
    mutating func makeRoom() { most = max(Self.longestMemory, 2 * count) }
}
