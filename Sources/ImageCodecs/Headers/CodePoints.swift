/// What colours are, by code points for video (ISO/IEC 23091-2, "CICP").
struct CodePoints: Equatable {
    private enum Transfer {
        static let (gamma22, gamma28, linear, pq, hlg) = (4, 5, 8, 16, 18)
    }

    let primaries: Int
    let transfer: Int
    /// What the brightest pixel is meant to be, in candelas a square metre, where the file says so.
    var brightest: Double?

    init(primaries: Int, transfer: Int) {
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// Whether it says something: some numbers are reserved, and 2 is for what nobody knows.
    var isSaid: Bool { ![0, 2, 3].contains(transfer) && ![0, 2, 3].contains(primaries) }

    /// Light from a scene by a display's law: the perceptual quantizer of SMPTE ST 2084, or hybrid log-gamma.
    enum HighRange { case pq, hlg }

    /// Nil for a picture for ordinary screens.
    var highRange: HighRange? {
        switch transfer {
        case Transfer.pq: .pq
        case Transfer.hlg: .hlg
        default: nil
        }
    }

    /// x and y of white, red, green and blue; sRGB's where they are not said.
    var points: [Double] {
        let d65 = [0.3127, 0.3290]
        return switch primaries {
        case 4: [0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08]
        case 5: d65 + [0.64, 0.33, 0.29, 0.60, 0.15, 0.06]
        case 6, 7: d65 + [0.630, 0.340, 0.310, 0.595, 0.155, 0.070]
        case 8: [0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049]
        case 9: d65 + [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
        case 11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        case 12: d65 + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        case 22: d65 + [0.630, 0.340, 0.295, 0.605, 0.155, 0.077]
        default: d65 + [0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
        }
    }

    /// A profile that says the same of a picture for ordinary screens; empty for sRGB, and for what has no profile.
    ///
    /// Curves of video are taken for that of sRGB, as Chromium does: they say how a camera writes light, and screens show it by
    /// another curve.
    func profile(isGrey: Bool) -> [UInt8] {
        let curve: [Double] =
            switch transfer {
            case Transfer.gamma22: [2.2, 1, 0, 0, 0]
            case Transfer.gamma28: [2.8, 1, 0, 0, 0]
            case Transfer.linear: [1, 1, 0, 0, 0]
            default: KnownColours.sRGB.curve
            }
        let isUsual = [1, 2, 0].contains(primaries) || isGrey
        if highRange != nil || (isUsual && curve == KnownColours.sRGB.curve) { return [] }
        if isGrey { return ICCProfileWriter.greyProfile(curve: curve) }
        guard let primaries = Primaries.adapted(points) else { return [] }
        return ICCProfileWriter.profile(ofPrimaries: primaries, curve: curve)
    }
}
