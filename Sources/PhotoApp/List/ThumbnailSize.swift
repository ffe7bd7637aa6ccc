/// How large the photos of a list or a grid are shown, in pixels of the window.
package enum ThumbnailSize: String, CaseIterable {
    case small, medium, large

    /// The picture of a card of the grid.
    var card: (width: Int32, height: Int32) {
        switch self {
        case .small: (120, 90)
        case .medium: (176, 132)
        case .large: (264, 198)
        }
    }

    /// The picture of a row of the list.
    var row: (width: Int32, height: Int32) {
        switch self {
        case .small: (64, 48)
        case .medium: (96, 72)
        case .large: (144, 108)
        }
    }

    /// The next larger one, or the next smaller one; nil where there is none.
    func next(isLarger: Bool) -> ThumbnailSize? {
        let place = (Self.allCases.firstIndex(of: self) ?? 0) + (isLarger ? 1 : -1)
        return Self.allCases.indices.contains(place) ? Self.allCases[place] : nil
    }
}
