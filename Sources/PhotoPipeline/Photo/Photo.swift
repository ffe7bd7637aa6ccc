public import FoundationEssentials

/// A picture of a catalog: what it is called, where it is, and how far it has come.
///
/// A photo is a value. The pipeline emits new states, whoever shows photos keeps them.
public struct Photo: Identifiable, Sendable {
    /// What stays the same about a photo while lists are sorted, searched and reloaded.
    ///
    /// It is the photo's place in its catalog, never its row on screen.
    public struct ID: Hashable, Comparable, Sendable {
        /// The place in the catalog, from 0.
        public let index: Int

        /// Names the photo at a place of its catalog.
        public init(_ index: Int) {
            self.index = index
        }

        public static func < (left: ID, right: ID) -> Bool { left.index < right.index }
    }

    /// The identity, the same for as long as the catalog is open.
    public let id: ID
    /// The name as the catalog gives it; it may hold any characters.
    public let name: String
    /// Where the picture is, an http, https or file address.
    public let address: URL
    /// How far it has come.
    public var state: State

    /// A photo that nothing has been done for yet: its state is `new`.
    public init(id: ID, name: String, address: URL) {
        self.id = id
        self.name = name
        self.address = address
        self.state = .new
    }
}
