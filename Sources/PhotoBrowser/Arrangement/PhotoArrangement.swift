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
        /// The order is that of the moment it is chosen, so that rows do not jump while somebody looks at them; a search changes
        /// nothing about that. ``PhotoList/rankByState()`` chooses it anew.
        case state
        /// By the moment at which the photo's file was changed last, the latest first. Photos that are no files of this machine come
        /// last, as the catalog has them.
        case modified
        /// By the size of the photo's file, the largest first. Photos that are no files of this machine come last, as the catalog has
        /// them.
        case size
    }

    /// The order. Default: the catalog's.
    public var order: Order
    /// Whether it is the other way round. Photos that ``Order/modified`` or ``Order/size`` know nothing of stay last. Default: false.
    public var isReversed: Bool
    /// Only photos with all of these words in their names, whatever the case and the accents; all photos where there
    /// is no word. Default: none.
    public var search: String

    /// An arrangement; by default the catalog as it is.
    public init(order: Order = .catalog, isReversed: Bool = false, search: String = "") {
        self.order = order
        self.isReversed = isReversed
        self.search = search
    }
}
