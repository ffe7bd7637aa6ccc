extension Look {
    /// What is laid over the picture, the lowest first.
    var layers: [LookLayer] {
        switch self {
        case .nineteenSeventySeven: [LookLayer(.color(FilterColor(rgb: 0xF36ABC, alpha: 0.3)), .screen)]
        case .aden:
            [
                LookLayer(
                    .toRight([
                        .init(0, FilterColor(rgb: 0x420A0E, alpha: 0.2)), .init(1, FilterColor(rgb: 0, alpha: 0)),
                    ]), .darken)
            ]
        case .brannan: [LookLayer(.color(FilterColor(rgb: 0xA12CC7, alpha: 0.31)), .lighten)]
        case .clarendon: [LookLayer(.color(FilterColor(rgb: 0x7FBBE3, alpha: 0.2)), .overlay)]
        case .earlybird:
            [
                LookLayer(
                    .circle([
                        .init(0.2, FilterColor(rgb: 0xD0BA8E)), .init(0.85, FilterColor(rgb: 0x360309)),
                        .init(1, FilterColor(rgb: 0x1D0210)),
                    ]), .overlay)
            ]
        case .gingham: [LookLayer(.color(FilterColor(rgb: 0xE6E6FA)), .softLight)]
        case .hudson:
            [
                LookLayer(
                    .circle([.init(0.5, FilterColor(rgb: 0xA6B1FF)), .init(1, FilterColor(rgb: 0x342134))]),
                    .multiply, opacity: 0.5)
            ]
        case .inkwell: []
        case .lofi:
            [
                LookLayer(
                    .circle([.init(0.7, FilterColor(rgb: 0, alpha: 0)), .init(1.5, FilterColor(rgb: 0x222222))]),
                    .multiply)
            ]
        case .moon:
            [
                LookLayer(.color(FilterColor(rgb: 0xA0A0A0)), .softLight),
                LookLayer(.color(FilterColor(rgb: 0x383838)), .lighten),
            ]
        case .nashville:
            [
                LookLayer(.color(FilterColor(rgb: 0xF7B099, alpha: 0.56)), .darken),
                LookLayer(.color(FilterColor(rgb: 0x004696, alpha: 0.4)), .lighten),
            ]
        case .reyes: [LookLayer(.color(FilterColor(rgb: 0xEFCDAD)), .softLight, opacity: 0.5)]
        case .toaster:
            [
                LookLayer(
                    .circle([.init(0, FilterColor(rgb: 0x804E0F)), .init(1, FilterColor(rgb: 0x3B003B))]), .screen)
            ]
        case .valencia: [LookLayer(.color(FilterColor(rgb: 0x3A0339)), .exclusion, opacity: 0.5)]
        case .walden: [LookLayer(.color(FilterColor(rgb: 0x0044CC)), .screen, opacity: 0.3)]
        case .xpro2:
            [
                LookLayer(
                    .circle([
                        .init(0.4, FilterColor(rgb: 0xE6E7E0)), .init(1.1, FilterColor(rgb: 0x2B2AA1, alpha: 0.6)),
                    ]), .colorBurn)
            ]
        }
    }

    /// What is applied to the picture and its layers together.
    var functions: [FilterFunction] {
        switch self {
        case .nineteenSeventySeven: [.contrast(1.1), .brightness(1.1), .saturate(1.3)]
        case .aden: [.hueRotate(degrees: -20), .contrast(0.9), .saturate(0.85), .brightness(1.2)]
        case .brannan: [.sepia(0.5), .contrast(1.4)]
        case .clarendon: [.contrast(1.2), .saturate(1.35)]
        case .earlybird: [.contrast(0.9), .sepia(0.2)]
        case .gingham: [.brightness(1.05), .hueRotate(degrees: -10)]
        case .hudson: [.brightness(1.2), .contrast(0.9), .saturate(1.1)]
        case .inkwell: [.sepia(0.3), .contrast(1.1), .brightness(1.1), .grayscale(1)]
        case .lofi: [.saturate(1.1), .contrast(1.5)]
        case .moon: [.grayscale(1), .contrast(1.1), .brightness(1.1)]
        case .nashville: [.sepia(0.2), .contrast(1.2), .brightness(1.05), .saturate(1.2)]
        case .reyes: [.sepia(0.22), .brightness(1.1), .contrast(0.85), .saturate(0.75)]
        case .toaster: [.contrast(1.5), .brightness(0.9)]
        case .valencia: [.contrast(1.08), .brightness(1.08), .sepia(0.08)]
        case .walden: [.brightness(1.1), .hueRotate(degrees: -10), .sepia(0.3), .saturate(1.6)]
        case .xpro2: [.sepia(0.3)]
        }
    }
}
