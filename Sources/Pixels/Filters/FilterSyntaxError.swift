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
        /// There is no such function of values, or it depends on a page, as `var()` does.
        case computedValueNotSupported(String)
        /// A number with a unit of length, or 0, is wanted.
        case expectedLength
        /// This is not a colour that is known.
        case unknownColor(String)
        /// The parts of a colour are wanted: numbers or percentages, with commas between all or none.
        case expectedColorComponent
        /// A colour is wanted.
        case expectedColor
        /// The name of a colour space is wanted.
        case expectedColorSpace
        /// The colour space is not one that can stand here.
        case unknownColorSpace(String)
        /// `hue` must follow the way in which hues are mixed.
        case expectedHue
        /// A percentage from 0% to 100% is wanted.
        case expectedPercentage
        /// A value is wanted: a number, with or without a unit, a constant, or a math function.
        case expectedOperand
        /// `+` and `-` need white space on both sides.
        case expectedSpace
        /// A comma and one more value are wanted.
        case expectedComma
        /// A number without a unit is wanted.
        case expectedNumber
        /// Values that measure different things, such as a length and an angle, cannot be added or compared.
        case differentMeasures
        /// More than 100 parentheses of computed values and colours are open.
        case nestedTooDeeply
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
    public var message: String { filled(in: template) }

    /// Puts what was written, and the names of looks, into the places of a sentence: ``template``, or a translation of it.
    package func filled(in sentence: String) -> String {
        // What was written may have braces, too.
        [("{looks}", Look.names), ("{word}", word)].reduce(sentence) { text, part in
            guard let range = text.firstRange(of: part.0) else { return text }
            return text[..<range.lowerBound] + part.1 + text[range.upperBound...]
        }
    }

    /// What stands at the place, where the sentence names it.
    private var word: String {
        switch reason {
        case .unknownFunction(let word), .expectedOpeningParenthesis(let word), .unknownUnit(let word),
            .computedValueNotSupported(let word), .unknownColor(let word), .unknownColorSpace(let word),
            .unknownLook(let word):
            word
        default: ""
        }
    }

    /// The sentence with `{word}` for what was written, and `{looks}` for the names of the looks that there are.
    package var template: String {
        switch reason {
        case .empty: "The filter is empty; write a function such as sepia(80%), or none."
        case .unknownFunction: "There is no filter function “{word}”."
        case .expectedOpeningParenthesis: "“{word}” must be followed directly by “(”."
        case .expectedClosingParenthesis: "A “)” is missing here."
        case .expectedFunction: "A filter function was expected here; functions are separated by spaces only."
        case .expectedAmount: "A number or a percentage was expected here, such as 0.8 or 80%."
        case .expectedAngle: "An angle was expected here, such as 90deg."
        case .negative: "The value must not be negative."
        case .missingUnit: "The number needs a unit, such as px or deg; only 0 may stand without."
        case .unknownUnit: "The unit “{word}” cannot be used here."
        case .noneIsNotAlone: "“none” cannot be combined with filter functions."
        case .urlNotSupported: "Filters from other documents, url(), are not supported."
        case .computedValueNotSupported:
            "“{word}()” cannot be used here; write a value, or a math function such as calc()."
        case .expectedLength: "A length was expected here, such as 2px."
        case .unknownColor: "There is no colour “{word}”; write a name, #rrggbb, or rgb()."
        case .expectedColorComponent: "A part of a colour was expected here, as in rgba(255, 0, 0, 0.5)."
        case .expectedColor: "A colour was expected here, such as red, #f80 or rgb(255 136 0)."
        case .expectedColorSpace: "The name of a colour space was expected here, such as srgb or display-p3."
        case .unknownColorSpace: "The colour space “{word}” cannot be used here."
        case .expectedHue: "The word “hue” was expected here."
        case .expectedPercentage: "A percentage from 0% to 100% was expected here."
        case .expectedOperand: "A value was expected here, such as 2, 50%, 3px, pi or min(1px, 2px)."
        case .expectedSpace: "“+” and “-” need white space on both sides."
        case .expectedComma: "A comma and another value were expected here."
        case .expectedNumber: "A number without a unit was expected here."
        case .differentMeasures: "A number and a length, or other different kinds of values, cannot be combined."
        case .nestedTooDeeply: "The parentheses are nested too deeply; at most 100 can be open."
        case .expectedLook: "The name of a look was expected here: {looks}."
        case .unknownLook: "There is no look “{word}”; there are {looks}."
        }
    }
}

extension FilterSyntaxError: CustomStringConvertible {
    /// The sentence with its place: `column 7: A “)” is missing here.`
    public var description: String { "column \(column): \(message)" }
}
