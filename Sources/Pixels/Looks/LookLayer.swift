internal import CPixelKernels
internal import Glibc

/// A layer of colour over a picture, blended with what is below as CSS's `mix-blend-mode` does.
struct LookLayer {
    enum Fill {
        case color(FilterColor)
        /// From the left border to the right.
        case toRight([ColorStop])
        /// A circle around the centre; 1 is the distance of the corners.
        case circle([ColorStop])
    }

    struct ColorStop {
        let position: Double
        let color: FilterColor

        init(_ position: Double, _ color: FilterColor) {
            self.position = position
            self.color = color
        }
    }

    enum BlendMode: CaseIterable {
        case multiply, screen, overlay, darken, lighten, softLight, colorDodge, colorBurn, exclusion, hue, color
    }

    /// How many pixels are blended at a time, at most.
    static let mostPixels = 1_024

    let fill: Fill
    let mode: BlendMode
    /// CSS's `opacity` of the layer.
    let opacity: Double

    init(_ fill: Fill, _ mode: BlendMode, opacity: Double = 1) {
        self.fill = fill
        self.mode = mode
        self.opacity = opacity
    }
}

extension LookLayer {
    /// Blends the layer over a part of one row of the picture.
    ///
    /// - Parameters:
    ///   - pixels: The part, straight R, G, B, A.
    ///   - columns: Which part of the row it is.
    ///   - row: The row's number, from the top.
    ///   - size: The size of the whole picture, which the gradient spans.
    ///   - layer: Room for four values for each pixel of the part.
    func blend(
        over pixels: UnsafeMutableRawPointer, columns: Range<Int>, row: Int, of size: PixelSize,
        layer: UnsafeMutablePointer<Float>
    ) {
        let (width, height) = (Double(size.width), Double(size.height))
        let (first, count) = (columns.lowerBound, columns.count)
        switch fill {
        case .color(let color):
            let stop = ColorStop(0, color).kernelStop(opacity: opacity)
            withUnsafePointer(to: stop) { cpk_gradient_row(layer, first, count, 0, 0, 0, $0, 1) }
        case .toRight(let stops):
            let kernelStops = stops.map { $0.kernelStop(opacity: opacity) }
            cpk_gradient_row(layer, first, count, 0.5 / width, 0, 1 / width, kernelStops, kernelStops.count)
        case .circle(let stops):
            let kernelStops = stops.map { $0.kernelStop(opacity: opacity) }
            let radius = hypot(width / 2, height / 2)
            let y = (Double(row) + 0.5 - height / 2) / radius
            cpk_gradient_row(
                layer, first, count, (0.5 - width / 2) / radius, y, 1 / radius, kernelStops, kernelStops.count)
        }
        cpk_blend_row(pixels, layer, count, mode.code)
    }
}

extension LookLayer.ColorStop {
    /// Premultiplied, because that is how CSS mixes the colours of two stops.
    fileprivate func kernelStop(opacity: Double) -> cpk_stop {
        let alpha = color.alpha * opacity
        func channel(_ value: UInt8) -> Float { Float(Double(value) / 255 * alpha) }
        return cpk_stop(
            position: Float(position),
            premultiplied: (channel(color.red), channel(color.green), channel(color.blue), Float(alpha)))
    }
}

extension LookLayer.BlendMode {
    fileprivate var code: cpk_blend {
        switch self {
        case .multiply: CPK_BLEND_MULTIPLY
        case .screen: CPK_BLEND_SCREEN
        case .overlay: CPK_BLEND_OVERLAY
        case .darken: CPK_BLEND_DARKEN
        case .lighten: CPK_BLEND_LIGHTEN
        case .softLight: CPK_BLEND_SOFT_LIGHT
        case .colorDodge: CPK_BLEND_COLOR_DODGE
        case .colorBurn: CPK_BLEND_COLOR_BURN
        case .exclusion: CPK_BLEND_EXCLUSION
        case .hue: CPK_BLEND_HUE
        case .color: CPK_BLEND_COLOR
        }
    }
}
