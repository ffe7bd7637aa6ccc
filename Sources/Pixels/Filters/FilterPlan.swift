internal import CPixelKernels

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
}

extension FilterPlan {
    /// Runs all passes over a picture in place.
    ///
    /// - Returns: false if the meter stopped it; the picture is then half filtered.
    func run(
        on image: inout PixelBuffer, parallelism: RowParallelism = .none, meter: inout WorkMeter
    ) -> Bool {
        guard !image.size.isEmpty else { return true }
        let margins = margins.limited(to: image.size)
        guard !margins.isEmpty else {
            return run(on: &image, inside: margins, of: image.size, parallelism, meter: &meter)
        }
        let size = PixelSize(
            width: margins.left + image.size.width + margins.right,
            height: margins.top + image.size.height + margins.bottom)
        var canvas = PixelBuffer(size: size)
        canvas.draw(image, at: (margins.left, margins.top))
        guard run(on: &canvas, inside: margins, of: image.size, parallelism, meter: &meter) else { return false }
        image.draw(canvas, at: (-margins.left, -margins.top))
        return true
    }

    private func run(
        on canvas: inout PixelBuffer, inside margins: Margins, of size: PixelSize, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        for stage in stages {
            let goesOn =
                switch stage {
                case .pointwise(let program): Self.run(program, on: &canvas, parallelism, meter: &meter)
                case .layers(let layers):
                    Self.blend(layers, over: &canvas, inside: margins, of: size, parallelism, meter: &meter)
                case .blur(let blur): Self.run(blur, on: &canvas, parallelism, meter: &meter)
                case .shadow(let shadow): shadow.cast(under: &canvas, parallelism, meter: &meter)
                }
            guard goesOn else { return false }
        }
        return true
    }

    private static func run(
        _ program: PointwiseProgram, on canvas: inout PixelBuffer, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        let stride = canvas.bytesPerRow
        let size = canvas.size
        return canvas.withUnsafeMutableBytes(keepsOpacity: program.opacity == 1) { bytes in
            guard let start = bytes.baseAddress else { return true }
            let pixels = SharedPixels(start: start)
            return parallelism.forEachPart(of: size.height, pixels: size.width, meter: &meter) { rows in
                let part = UnsafeMutableRawBufferPointer(
                    start: pixels.start + rows.lowerBound * stride, count: rows.count * stride)
                program.run(on: part, path: .automatic)
            }
        }
    }

    private static func blend(
        _ layers: [LookLayer], over canvas: inout PixelBuffer, inside margins: Margins, of size: PixelSize,
        _ parallelism: RowParallelism, meter: inout WorkMeter
    ) -> Bool {
        let stride = canvas.bytesPerRow
        return canvas.withUnsafeMutableBytes(keepsOpacity: true) { bytes in
            guard let start = bytes.baseAddress else { return true }
            let pixels = SharedPixels(start: start + margins.top * stride + margins.left * 4)
            let work = size.width * layers.count
            return parallelism.forEachPart(of: size.height, pixels: work, meter: &meter) { rows in
                let scratch = UnsafeMutablePointer<Float>.allocate(capacity: size.width * 4)
                defer { scratch.deallocate() }
                for row in rows {
                    for layer in layers {
                        layer.blend(over: pixels.start + row * stride, row: row, of: size, layer: scratch)
                    }
                }
            }
        }
    }

    private static func run(
        _ blur: Blur, on canvas: inout PixelBuffer, _ parallelism: RowParallelism, meter: inout WorkMeter
    ) -> Bool {
        let size = canvas.size
        let wasOpaque = canvas.isOpaque
        return canvas.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            if !wasOpaque { cpk_premultiply(start, bytes.count / 4) }
            guard blur.run(on: bytes, size: size, channels: 4, parallelism, meter: &meter) else { return false }
            cpk_unpremultiply(start, bytes.count / 4)
            return true
        }
    }
}
