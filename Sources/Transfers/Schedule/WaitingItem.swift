/// An item of a ``TransferSchedule`` that waits: in its host's line, or for a time.
struct WaitingItem<Item> {
    /// Nil for a place in the table that is free.
    var item: Item?
    /// The longest pause that it waits for if its host asks for it.
    var patience = Duration.zero
    var link = WaitingLine.Link()
    /// Tells the items apart that have had this place.
    var number: UInt32 = 0
    var host: Int32 = -1
    var level: Int8 = 0
    /// It waits for a time, and not in its host's line.
    var isTimed = false
}
