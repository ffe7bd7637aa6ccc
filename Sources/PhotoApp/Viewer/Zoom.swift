/// Which part of a picture is seen, and how large.
///
/// Lengths of the view are pixels of the window; a scale of 1 shows a pixel of the picture on each of those.
nonisolated struct Zoom: Equatable {
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// The most that a pixel of the picture is enlarged.
    static let largest = 16.0

    /// The picture's size in its own pixels.
    var image = Point(x: 1, y: 1) { didSet { if image != oldValue { imageChanged(from: oldValue) } } }
    /// The size of what it is seen in.
    var view = Point(x: 1, y: 1) { didSet { settle() } }
    /// Pixels of the window for each of the picture; nil to show all of the picture.
    private(set) var chosenScale: Double?
    /// Where the picture's left upper corner is in the view.
    private(set) var origin = Point(x: 0, y: 0)

    /// The scale that shows all of the picture, without enlarging it.
    var fitting: Double { min(1, view.x / max(1, image.x), view.y / max(1, image.y)) }
    /// The present scale.
    var scale: Double { chosenScale ?? fitting }

    /// Shows all of the picture.
    mutating func fit() {
        chosenScale = nil
        settle()
    }

    /// Shows a pixel of the picture on each of the window's, around the middle.
    mutating func showActualSize() { set(1, around: Point(x: view.x / 2, y: view.y / 2)) }

    /// Shows a pixel of the picture on each of the window's, or all of the picture where it is enlarged; what is at a point of the view
    /// stays there.
    mutating func switchActualSize(around point: Point) {
        if chosenScale == nil { set(1, around: point) } else { fit() }
    }

    /// Enlarges by a factor; what is at a point of the view stays there.
    mutating func magnify(by factor: Double, around point: Point? = nil) {
        set(scale * factor, around: point ?? Point(x: view.x / 2, y: view.y / 2))
    }

    /// Moves the picture.
    mutating func pan(x: Double, y: Double) {
        origin = Point(x: origin.x + x, y: origin.y + y)
        settle()
    }

    /// What is seen of a picture stays where its size is only known better by now; another picture is shown whole.
    private mutating func imageChanged(from before: Point) {
        let isSameShape = abs(image.x * before.y - image.y * before.x) <= 0.02 * image.x * before.y
        guard let chosenScale, isSameShape else { return fit() }
        self.chosenScale = chosenScale * before.x / image.x
        settle()
    }

    private mutating func set(_ wanted: Double, around point: Point) {
        let before = scale
        let after = min(max(wanted, fitting), max(Self.largest, fitting))
        origin.x = point.x - (point.x - origin.x) * after / before
        origin.y = point.y - (point.y - origin.y) * after / before
        chosenScale = after <= fitting ? nil : after
        settle()
    }

    /// Keeps the picture in the view: in the middle where it is smaller, without a gap where it is larger.
    private mutating func settle() {
        func within(_ origin: Double, _ length: Double, _ space: Double) -> Double {
            length <= space ? (space - length) / 2 : min(0, max(space - length, origin))
        }
        if let chosen = chosenScale, chosen <= fitting { chosenScale = nil }
        origin.x = within(origin.x, image.x * scale, view.x)
        origin.y = within(origin.y, image.y * scale, view.y)
    }
}
