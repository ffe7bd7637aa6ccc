/// Why a text is not a filter chain, and where.
public struct FilterSyntaxError: Error, Hashable, Sendable {
    /// What is wrong at the place.
    public enum Reason: Hashable, Sendable {
        /// The text has no function and is not `none`.
        case empty
        /// There is no filter function of this name.
        case unknownFunction(String)
        /// The name must be followed at once by an opening parenthesis.
        case expectedOpeningParenthesis(after: String)
        /// The function's arguments must end here.
        case expectedClosingParenthesis
        /// Something that cannot stand between functions, such as a comma.
        case expectedFunction
        /// A number or a percentage is wanted.
        case expectedAmount
        /// A number with an angle's unit, or 0, is wanted.
        case expectedAngle
        /// The value must not be below 0.
        case negative
        /// A number other than 0 needs a unit.
        case missingUnit
        /// The unit is not one that can stand here.
        case unknownUnit(String)
        /// `none` cannot be combined with functions.
        case noneIsNotAlone
        /// Filters in other documents, `url()`, are not supported.
        case urlNotSupported
        /// Computed values such as `calc()` are not supported.
        case computedValueNotSupported(String)
        /// A comment is not closed.
        case unclosedComment
        /// A number with a unit of length, or 0, is wanted.
        case expectedLength
        /// This is not a colour that is known.
        case unknownColor(String)
        /// The parts of a colour are wanted: numbers or percentages, with commas between all or none.
        case expectedColorComponent
        /// The name of a look is wanted.
        case expectedLook
        /// There is no look of this name.
        case unknownLook(String)
    }

    /// What is wrong.
    public let reason: Reason

    /// Where, in bytes of UTF-8 from the beginning of the text; the text's length if it ends too early.
    public let offset: Int

    /// Where, in characters as a person counts them, from 1.
    public let column: Int

    /// What is wrong, as a sentence without the place.
    public var message: String {
        switch reason {
        case .empty: "The filter is empty; write a function such as sepia(80%), or none."
        case .unknownFunction(let name): "There is no filter function “\(name)”."
        case .expectedOpeningParenthesis(let name): "“\(name)” must be followed directly by “(”."
        case .expectedClosingParenthesis: "A “)” is missing here."
        case .expectedFunction: "A filter function was expected here; functions are separated by spaces only."
        case .expectedAmount: "A number or a percentage was expected here, such as 0.8 or 80%."
        case .expectedAngle: "An angle was expected here, such as 90deg."
        case .negative: "The value must not be negative."
        case .missingUnit: "The number needs a unit, such as px or deg; only 0 may stand without."
        case .unknownUnit(let unit): "The unit “\(unit)” cannot be used here."
        case .noneIsNotAlone: "“none” cannot be combined with filter functions."
        case .urlNotSupported: "Filters from other documents, url(), are not supported."
        case .computedValueNotSupported(let name): "Computed values, here \(name)(), are not supported; write a number."
        case .unclosedComment: "The comment is not closed."
        case .expectedLength: "A length was expected here, such as 2px."
        case .unknownColor(let text): "There is no colour “\(text)”; write a name, #rrggbb, rgb() or rgba()."
        case .expectedColorComponent: "A part of a colour was expected here, as in rgba(255, 0, 0, 0.5)."
        case .expectedLook: "The name of a look was expected here: \(Look.names)."
        case .unknownLook(let name): "There is no look “\(name)”; there are \(Look.names)."
        }
    }
}

extension FilterSyntaxError: CustomStringConvertible {
    /// The sentence with its place: `column 7: A “)” is missing here.`
    public var description: String { "column \(column): \(message)" }
}
