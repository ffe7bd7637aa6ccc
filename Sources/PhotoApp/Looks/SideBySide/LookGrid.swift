/// Where pictures of one shape stand in rows, as large as there is room for.
nonisolated struct LookGrid: Equatable {
    /// How many stand beside each other.
    let columns: Int
    /// How wide each is, in pixels of the window.
    let width: Int
    /// How high each is, with its name.
    let height: Int
    private let count: Int

    /// Between two, and around all.
    static let gap = 8
    /// The name below a picture, and what is around both.
    static let nameHeight = 34
    /// What is around a picture.
    static let frame = 12
    /// Narrower ones would show too little.
    static let leastWidth = 130

    /// - Parameters:
    ///   - count: How many pictures there are, at least 1.
    ///   - shape: How wide a picture is for its height.
    ///   - width: The width that there is.
    ///   - height: The height that is seen at a time. Where not all find room in it, one scrolls.
    init(_ count: Int, shape: Double, width all: Int, height seen: Int) {
        let shape = min(max(shape, 0.6), 2.4)
        let count = max(1, count)
        func cell(_ columns: Int) -> (width: Int, height: Int) {
            let width = max(1, (all - Self.gap * (columns + 1)) / columns)
            return (width, Int(Double(max(1, width - Self.frame)) / shape) + Self.nameHeight)
        }
        func total(_ columns: Int) -> Int {
            (count + columns - 1) / columns * (cell(columns).height + Self.gap) + Self.gap
        }
        let most = max(1, (all - Self.gap) / (Self.leastWidth + Self.gap))
        columns = (1...most).first { total($0) <= seen } ?? most
        (width, height) = cell(columns)
        self.count = count
    }

    /// How high all of them are together.
    var totalHeight: Int { (count + columns - 1) / columns * (height + Self.gap) + Self.gap }

    /// Where one stands.
    func place(of index: Int) -> (x: Int, y: Int) {
        (Self.gap + index % columns * (width + Self.gap), Self.gap + index / columns * (height + Self.gap))
    }

    /// The longest side of a picture, in pixels of the window.
    func pictureSide(shape: Double) -> Int {
        let (wide, high) = (Double(width - Self.frame), Double(height - Self.nameHeight))
        return max(1, Int(max(min(wide, high * shape), min(high, wide / shape)).rounded(.up)))
    }
}
