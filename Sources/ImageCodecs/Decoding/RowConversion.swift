/// What is done to rows of bytes before they are reduced, where libvips does not do it.
enum RowConversion {
    /// Light of more than an ordinary screen's.
    case highRange(HighDynamicRange)
    /// What no frame of a GIF covers becomes transparent.
    case cover(GIFCover)
    /// Inks become colours; the transparency behind them stays.
    case inks

    /// The bands that come of so many.
    func bands(of bands: Int) -> Int {
        switch self {
        case .highRange: bands
        case .cover, .inks: 4
        }
    }

    /// Does it to the rows of one picture, each in its turn.
    struct Line {
        private let conversion: RowConversion
        private let bands: Int
        private let width: Int
        private var line: [UInt8]
        private var isCovered: [Bool]

        init(_ conversion: RowConversion, width: Int, bands: Int) {
            self.conversion = conversion
            self.bands = bands
            self.width = width
            line = [UInt8](repeating: 0, count: width * conversion.bands(of: bands))
            if case .cover = conversion {
                isCovered = [Bool](repeating: false, count: width)
            } else {
                isCovered = []
            }
        }

        /// Gives `body` a row as it is wanted.
        mutating func convert(_ row: UnsafePointer<UInt8>, at y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
            if case .cover(let cover) = conversion { cover.fill(&isCovered, row: y) }
            line.withUnsafeMutableBufferPointer { line in
                guard let start = line.baseAddress else { return }
                switch conversion {
                case .highRange(let shown): shown.convert(row, bands: bands, count: width, into: start)
                case .inks: PressInks.usual.convert(row, channels: bands, count: width, into: start)
                case .cover:
                    for x in 0..<width {
                        for channel in 0..<3 {
                            start[4 * x + channel] = isCovered[x] ? row[bands * x + (bands < 3 ? 0 : channel)] : 0
                        }
                        start[4 * x + 3] = isCovered[x] ? 255 : 0
                    }
                }
                body(start)
            }
        }
    }
}
