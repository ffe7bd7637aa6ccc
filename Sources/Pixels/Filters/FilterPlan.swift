/// A chain made ready for one scale: pointwise functions that follow each other are one pass, the rest are passes of
/// their own. Between passes pixels are rounded to 8 bits.
struct FilterPlan {
    enum Stage {
        case pointwise(PointwiseProgram)
        /// Layers are blended over the picture's own area only, not over what spreads beyond it.
        case layers([LookLayer])
        case blur(Blur)
        case shadow(Shadow)
    }

    private(set) var stages: [Stage] = []

    /// - Parameter scale: Pixels as shown for each pixel of the full picture; what is not above 0 counts as 0.
    init(_ functions: [FilterFunction], scale: Double) {
        let scale = scale > 0 ? min(scale, .greatestFiniteMagnitude) : 0
        var run: [FilterFunction] = []
        for function in functions {
            switch function {
            case .blur(let deviation):
                guard let blur = Blur(deviation: deviation * scale) else { continue }
                append(pointwise: &run)
                stages.append(.blur(blur))
            case .dropShadow(let x, let y, let deviation, let color):
                append(pointwise: &run)
                stages.append(.shadow(Shadow(x: x, y: y, deviation: deviation, color: color, scale: scale)))
            case .look(let look):
                if !look.layers.isEmpty {
                    append(pointwise: &run)
                    stages.append(.layers(look.layers))
                }
                run += look.functions
            default:
                run.append(function)
            }
        }
        append(pointwise: &run)
    }

    init(stages: [Stage]) {
        self.stages = stages
    }

    private mutating func append(pointwise run: inout [FilterFunction]) {
        let program = PointwiseProgram(run)
        if !program.isIdentity { stages.append(.pointwise(program)) }
        run = []
    }

    /// What the passes must keep around the picture, because a later one brings it back into the picture.
    var margins: Margins {
        var needed: [Margins] = []
        var later = Margins()
        for stage in stages.reversed() {
            needed.append(later)
            later.grow(backThrough: stage)
        }
        var reached = Margins()
        var kept = Margins()
        for (stage, needed) in zip(stages, needed.reversed()) {
            reached.grow(through: stage)
            kept = kept.union(reached.intersection(needed))
        }
        return kept
    }

    /// How far from a pixel something may lie that has a say in it.
    var reach: Margins {
        var reach = Margins()
        for stage in stages.reversed() { reach.grow(backThrough: stage) }
        return reach
    }

    /// Bytes that passes take at most besides a canvas of this size.
    ///
    /// - Parameter threads: How many may work on it at the same time.
    func scratchBytes(on size: PixelSize, threads: Int) -> Int {
        let bytes = stages.map { stage in
            switch stage {
            case .pointwise: 0
            case .layers: LookLayer.mostPixels * 16 * threads
            case .blur(let blur): blur.scratchBytes(of: size, channels: 4) * threads
            case .shadow(let shadow): shadow.scratchBytes(of: size, threads: threads)
            }
        }
        return bytes.max() ?? 0
    }
}
