internal import CPixelKernels

extension FilterPlan {
    /// Runs all passes over a picture in place.
    ///
    /// - Returns: false if the meter stopped it, or has noted that memory is lacking; the picture is then half filtered.
    func run(
        on image: inout PixelBuffer, parallelism: RowParallelism = .none, meter: inout WorkMeter
    ) -> Bool {
        run(on: &image, FilterLayout(self, of: image.size, threads: parallelism.width), parallelism, meter: &meter)
    }

    /// - Parameter layout: Made for the picture's size.
    func run(
        on image: inout PixelBuffer, _ layout: FilterLayout, _ parallelism: RowParallelism = .none,
        meter: inout WorkMeter
    ) -> Bool {
        let size = image.size
        guard !size.isEmpty, !stages.isEmpty else { return true }
        guard image.makeOwn() else { return meter.stopForWantOfMemory() }
        if layout.isInPlace { return run(on: &image, PixelArea(of: size), of: size, parallelism, meter: &meter) }
        let parts = layout.parts
        // Parts look at what lies around them, where others may be done already.
        var source: PixelBuffer?
        if parts.count > 1 {
            source = image.copy()
            if source == nil { return meter.stopForWantOfMemory() }
        }
        for part in parts {
            let area = layout.area(around: part)
            guard var canvas = PixelBuffer(transparent: area.size) else { return meter.stopForWantOfMemory() }
            canvas.draw(source ?? image, at: (-area.columns.lowerBound, -area.rows.lowerBound))
            guard run(on: &canvas, area, of: size, parallelism, meter: &meter) else { return false }
            image.draw(part.moved(from: area), of: canvas, at: (part.columns.lowerBound, part.rows.lowerBound))
        }
        return true
    }

    /// - Parameter area: Where the canvas lies in the picture.
    private func run(
        on canvas: inout PixelBuffer, _ area: PixelArea, of size: PixelSize, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        for stage in stages {
            let goesOn =
                switch stage {
                case .pointwise(let program): Self.run(program, on: &canvas, parallelism, meter: &meter)
                case .layers(let layers):
                    Self.blend(layers, over: &canvas, area, of: size, parallelism, meter: &meter)
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
        _ layers: [LookLayer], over canvas: inout PixelBuffer, _ area: PixelArea, of size: PixelSize,
        _ parallelism: RowParallelism, meter: inout WorkMeter
    ) -> Bool {
        let stride = canvas.bytesPerRow
        let picture = area.clamped(to: PixelArea(of: size))
        guard !picture.size.isEmpty else { return true }
        return canvas.withUnsafeMutableBytes(keepsOpacity: true) { bytes in
            guard let start = bytes.baseAddress else { return true }
            let place = picture.moved(from: area)
            let pixels = SharedPixels(start: start + place.rows.lowerBound * stride + place.columns.lowerBound * 4)
            let work = picture.size.width * layers.count
            return parallelism.forEachPart(of: picture.size.height, pixels: work, meter: &meter) { rows in
                let scratch = UnsafeMutablePointer<Float>.allocate(capacity: LookLayer.mostPixels * 4)
                defer { scratch.deallocate() }
                for row in rows {
                    for left in Swift.stride(
                        from: picture.columns.lowerBound, to: picture.columns.upperBound, by: LookLayer.mostPixels)
                    {
                        let columns = left..<min(left + LookLayer.mostPixels, picture.columns.upperBound)
                        let part = pixels.start + row * stride + (left - picture.columns.lowerBound) * 4
                        for layer in layers {
                            layer.blend(
                                over: part, columns: columns, row: picture.rows.lowerBound + row, of: size,
                                layer: scratch)
                        }
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

extension PixelBuffer {
    /// nil where memory is lacking.
    fileprivate init?(transparent size: PixelSize) {
        self.init(allocating: size, isOpaque: size.isEmpty) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// The same picture in memory of its own; nil where there is none.
    fileprivate func copy() -> PixelBuffer? {
        withUnsafeBytes { bytes in
            PixelBuffer(allocating: size, isOpaque: isOpaque) { $0.copyMemory(from: bytes) }
        }
    }
}
