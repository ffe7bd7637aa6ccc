/// Which rows a list has, and in which order.
public struct PhotoArrangement: Hashable, Sendable {
    /// The order of rows.
    public enum Order: String, CaseIterable, Hashable, Sendable {
        /// As the catalog has them.
        case catalog
        /// By name as a person would, 2 before 10; those of the same name as the catalog has them.
        case name
        /// Failed ones first, then those at work, those that are done, and those that nothing was done for.
        ///
        /// The order is that of the moment it is chosen, so that rows do not jump while somebody looks at them.
        case state
    }

    /// The order. Default: the catalog's.
    public var order: Order
    /// Only photos with all of these words in their names, whatever the case and the accents; all photos where there
    /// is no word. Default: none.
    public var search: String

    /// An arrangement; by default the catalog as it is.
    public init(order: Order = .catalog, search: String = "") {
        self.order = order
        self.search = search
    }
}
