internal import CVips

/// The tags of an ICC profile (ICC.1, section 7.3), by code that cannot leave its bounds.
struct ICCTags {
    let profile: ByteReader

    /// The body of a tag; nil where the profile has none of this name, or a damaged one.
    func body(_ name: StaticString) -> ByteReader? {
        guard let count = profile.be32(128) else { return nil }
        for index in 0..<min(count, 100) where profile.has(name, at: 132 + 12 * index) {
            guard let offset = profile.be32(136 + 12 * index), let length = profile.be32(140 + 12 * index) else {
                return nil
            }
            return profile.slice(offset..<offset + length)
        }
        return nil
    }

    /// The rendering intent that its colours are converted by: relative colorimetric, or perceptual where tables for that are all
    /// it has. libvips leaves a profile out whose intent is missing.
    var intent: VipsIntent {
        let hasOnlyPerceptual = body("A2B0") != nil && body("A2B1") == nil && body("rXYZ") == nil
        return hasOnlyPerceptual ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE
    }
}

extension [UInt8] {
    /// Whether it is a profile of cyan, magenta, yellow and black.
    var isOfInks: Bool { isProfile(of: .inks) }

    /// Whether it is a profile of such numbers. libvips only counts channels: one of Lab would be applied to red, green and blue.
    func isProfile(of source: ColourConversion.Source) -> Bool {
        withUnsafeBytes { ByteReader($0).has(source.space, at: 16) }
    }

    /// The intent for a profile of these bytes.
    var intent: VipsIntent { withUnsafeBytes { ICCTags(profile: ByteReader($0)).intent } }
}
