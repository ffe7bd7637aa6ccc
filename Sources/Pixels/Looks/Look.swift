/// A named look: layers of colour that are blended over the picture, and functions that are then applied to the whole.
///
/// They are the well-known looks that web pages build from CSS filters, blend modes and gradients. In a chain a
/// look is written `look(NAME)` and may stand beside other functions. Gradients span the picture, so that a look is
/// the same at every size; a layer also covers what is transparent in the picture, as in a browser.
public enum Look: String, CaseIterable, Sendable {
    /// Rosy and bright, as an old print.
    case nineteenSeventySeven = "1977"
    /// Pale and soft, with a dark left border.
    case aden
    /// Hard, with brown shadows and violet lights.
    case brannan
    /// Strong colour, cool lights.
    case clarendon
    /// Warm in the middle, dark towards the corners.
    case earlybird
    /// Soft and slightly lavender.
    case gingham
    /// Cool and bright in the middle, with dark corners.
    case hudson
    /// Black and white.
    case inkwell
    /// Strong contrast with dark corners.
    case lofi
    /// Black and white with lifted shadows.
    case moon
    /// Pink lights and blue shadows.
    case nashville
    /// Faded and sandy.
    case reyes
    /// Burnt orange in the middle, violet corners.
    case toaster
    /// Warm, with lifted shadows.
    case valencia
    /// Bright, with blue shadows.
    case walden
    /// Burnt corners, as cross-processed film.
    case xpro2

    /// All names, for messages.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
