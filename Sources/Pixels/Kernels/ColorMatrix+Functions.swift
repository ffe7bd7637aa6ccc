internal import Glibc

/// The matrices of W3C Filter Effects Module Level 1, section 9.
extension ColorMatrix {
    static func sepia(_ amount: Double) -> ColorMatrix {
        identity.mixed(
            with: ColorMatrix(
                red: [0.393, 0.769, 0.189, 0], green: [0.349, 0.686, 0.168, 0], blue: [0.272, 0.534, 0.131, 0]),
            share: amount)
    }

    static func grayscale(_ amount: Double) -> ColorMatrix {
        identity.mixed(with: gray([0.2126, 0.7152, 0.0722, 0]), share: amount)
    }

    /// The weights are shorter than those of grayscale because browsers keep the ones of SVG's `feColorMatrix`.
    private static let shortWeights: Row = [0.213, 0.715, 0.072, 0]

    static func saturate(_ amount: Double) -> ColorMatrix {
        gray(shortWeights).mixed(with: identity, share: bounded(amount))
    }

    static func hueRotate(degrees: Double) -> ColorMatrix {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        let (red, green, blue) = (shortWeights.x, shortWeights.y, shortWeights.z)
        var matrix = gray(shortWeights).mixed(with: identity, share: cosine)
        matrix.red += [-red, -green, 1 - blue, 0] * sine
        matrix.green += [0.143, 0.140, -0.283, 0] * sine
        matrix.blue += [-(1 - red), green, blue, 0] * sine
        return matrix
    }

    static func brightness(_ amount: Double) -> ColorMatrix {
        linear(slope: bounded(amount), intercept: 0)
    }

    static func contrast(_ amount: Double) -> ColorMatrix {
        linear(slope: bounded(amount), intercept: 0.5 - 0.5 * bounded(amount))
    }

    static func invert(_ amount: Double) -> ColorMatrix {
        linear(slope: 1 - 2 * amount, intercept: amount)
    }

    private static func gray(_ weights: Row) -> ColorMatrix {
        ColorMatrix(red: weights, green: weights, blue: weights)
    }

    private static func linear(slope: Double, intercept: Double) -> ColorMatrix {
        ColorMatrix(
            red: [slope, 0, 0, intercept], green: [0, slope, 0, intercept], blue: [0, 0, slope, intercept])
    }

    /// An amount at which 8-bit values long have reached an end of the range, and at which the differences of
    /// large terms still are exact enough in single precision that grey stays grey.
    private static func bounded(_ amount: Double) -> Double {
        min(amount, 10_000)
    }
}

extension FilterFunction {
    /// The matrix of a function that has one.
    var matrix: ColorMatrix? {
        switch self {
        case .sepia(let amount): .sepia(amount)
        case .grayscale(let amount): .grayscale(amount)
        case .saturate(let amount): .saturate(amount)
        case .hueRotate(let degrees): .hueRotate(degrees: degrees)
        case .brightness(let amount): .brightness(amount)
        case .contrast(let amount): .contrast(amount)
        case .invert(let amount): .invert(amount)
        case .opacity, .sepiaTone, .blur, .dropShadow, .look: nil
        }
    }
}
