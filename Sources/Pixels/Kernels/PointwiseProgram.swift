internal import CPixelKernels

/// A chain made ready for the kernels: as few steps as the clamps allow.
struct PointwiseProgram: Equatable {
    enum Step: Equatable {
        case matrix(ColorMatrix)
        case tone(Double)
    }

    private(set) var steps: [Step] = []

    /// The product of all opacities. Nothing else touches alpha, so they need no steps.
    private(set) var opacity = 1.0

    /// What the pixels can be after the steps so far.
    private var range = ColorRange.full

    /// Whether the last step is a matrix whose clamp provably changes nothing.
    private var lastIsUnclamped = false

    init(_ functions: [FilterFunction]) {
        for function in functions {
            switch function {
            case .opacity(let amount): opacity *= amount
            case .sepiaTone(let amount): append(tone: amount)
            default:
                if let matrix = function.matrix { append(matrix) }
            }
        }
        steps.removeAll { $0 == .matrix(.identity) }
    }

    var isIdentity: Bool { steps.isEmpty && opacity == 1 }

    private mutating func append(tone amount: Double) {
        guard amount > 0 else { return }
        steps.append(.tone(amount))
        range = .full
        lastIsUnclamped = false
    }

    private mutating func append(_ matrix: ColorMatrix) {
        guard matrix != .identity else { return }
        let result = range.multiplied(by: matrix)
        // Only a clamp that never acts may be left out, and with it the border between two matrices.
        if lastIsUnclamped, case .matrix(let previous)? = steps.last {
            steps[steps.count - 1] = .matrix(matrix.after(previous))
        } else {
            steps.append(.matrix(matrix))
        }
        range = result.clamped
        lastIsUnclamped = result.isWithinBounds
    }
}

/// The instructions that a kernel uses; tests compare them.
package enum KernelPath: CaseIterable, Sendable {
    case automatic, baseline, avx2

    fileprivate var code: cpk_path {
        switch self {
        case .automatic: CPK_PATH_AUTOMATIC
        case .baseline: CPK_PATH_BASELINE
        case .avx2: CPK_PATH_AVX2
        }
    }

    /// Whether this processor can run it.
    package var isSupported: Bool { cpk_supports(code) }
}

extension PointwiseProgram {
    /// Filters R, G, B, A pixels in place, on the calling thread.
    func run(on pixels: UnsafeMutableRawBufferPointer, path: KernelPath) {
        guard !isIdentity, let start = pixels.baseAddress else { return }
        let count = pixels.count / 4
        if opacity == 1, steps.count == 1, case .tone(let amount)? = steps.first {
            cpk_tone(start, count, amount)
        } else {
            let kernelSteps = steps.map(\.kernelStep)
            cpk_filter(start, count, kernelSteps, kernelSteps.count, Float(opacity), path.code)
        }
    }
}

extension PointwiseProgram.Step {
    fileprivate var kernelStep: cpk_step {
        var step = cpk_step()
        switch self {
        case .tone(let amount):
            step.kind = Int32(CPK_STEP_TONE.rawValue)
            step.amount = Float(amount)
        case .matrix(let matrix):
            step.kind = Int32(CPK_STEP_MATRIX.rawValue)
            // The kernels' channels are 0...255.
            let (red, green, blue) = (matrix.red, matrix.green, matrix.blue)
            step.matrix = (
                Float(red.x), Float(red.y), Float(red.z), Float(red.w * 255),
                Float(green.x), Float(green.y), Float(green.z), Float(green.w * 255),
                Float(blue.x), Float(blue.y), Float(blue.z), Float(blue.w * 255)
            )
        }
        return step
    }
}
