import Testing

@testable import Pixels

@Suite struct PointwiseProgramTests {
    @Test(arguments: [
        ("none", 0),
        ("sepia(0) brightness(1) hue-rotate(0deg) contrast(1) saturate(1) invert(0) sepia-tone(0)", 0),
        ("sepia(1)", 1),
        // None of these can leave the range, so their clamps cannot act.
        ("grayscale(1) invert(1)", 1),
        ("brightness(.5) contrast(.5) saturate(.5) invert(.3) grayscale(.2)", 1),
        ("invert(1) invert(1)", 0),
        // The first cannot, so that the second may follow at once; what the second clamps, the third must see.
        ("brightness(.5) contrast(3)", 1),
        ("contrast(3) brightness(.5)", 2),
        ("brightness(.5) contrast(3) brightness(.5)", 2),
        // Twice as bright as half as bright is as bright as before: the range carries over.
        ("brightness(.5) brightness(2) brightness(.5)", 1),
        ("sepia(1) sepia(1)", 2),
        ("brightness(.5) sepia-tone(1) brightness(.5)", 3),
        ("opacity(.5) brightness(.5) opacity(.5) brightness(.5)", 1),
    ])
    func fusesOnlyWhereNoClampCanAct(text: String, steps: Int) throws {
        let program = PointwiseProgram(try FilterChain(parsing: text).functions)
        #expect(program.steps.count == steps)
    }

    @Test func opacitiesMultiply() throws {
        let program = PointwiseProgram(try FilterChain(parsing: "opacity(.5) sepia(1) opacity(.5)").functions)
        #expect(program.opacity == 0.25)
        #expect(!program.isIdentity)
    }
}
