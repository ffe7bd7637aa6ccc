/// The items of a ``TransferSchedule`` that wait, each in a place that another one gets when it is free.
struct WaitingItems<Item> {
    typealias Place = WaitingLine.Place

    /// Which item is meant; of no use once it has left its place.
    struct Ticket: Hashable {
        let place: Place
        fileprivate let number: UInt32
    }

    private var table: [WaitingItem<Item>] = []
    private var free: [Place] = []

    var count: Int { table.count - free.count }

    subscript(place: Place) -> WaitingItem<Item> {
        _read { yield table[Int(place)] }
        _modify { yield &table[Int(place)] }
    }

    mutating func insert(_ item: Item, patience: Duration, host: Int32, level: Int8) -> Ticket {
        let place = free.popLast() ?? Place(table.count)
        if Int(place) == table.count { table.append(WaitingItem()) }
        self[place].item = item
        self[place].patience = patience
        self[place].host = host
        self[place].level = level
        return Ticket(place: place, number: self[place].number)
    }

    /// Frees a place whose item is in no line any more.
    mutating func remove(_ place: Place) -> Item? {
        self[place].number &+= 1
        free.append(place)
        return self[place].item.take()
    }

    /// Whether the item that is meant still waits.
    func contains(_ ticket: Ticket) -> Bool {
        self[ticket.place].number == ticket.number && self[ticket.place].item != nil
    }

    /// How many items are so; nil where one of them has a slot that is not.
    func count(where isMeant: (Item) -> Bool, all isFine: (WaitingItem<Item>) -> Bool) -> Int? {
        var count = 0
        for slot in table {
            guard let item = slot.item, isMeant(item) else { continue }
            guard isFine(slot) else { return nil }
            count += 1
        }
        return count
    }

    /// The items that are so, in any order.
    func tickets(where isMeant: (Item) -> Bool) -> [Ticket] {
        table.indices.compactMap { place in
            guard let item = table[place].item, isMeant(item) else { return nil }
            return Ticket(place: Place(place), number: table[place].number)
        }
    }
}
