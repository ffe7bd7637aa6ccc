import OperationsTesting
import Pixels
import Testing

@testable import PhotoPipeline

@Suite struct PrefixTests {
    @Test(
        "A chain is divided where the parts make the same picture",
        arguments: [
            ("none", []), ("sepia(1)", []), ("sepia(1) contrast(1.2)", []),
            ("sepia(1) blur(2px)", ["sepia(1)"]), ("blur(2px) sepia(1)", ["blur(2px)"]),
            ("sepia(1) blur(2px) invert(1)", ["sepia(1)", "sepia(1) blur(2px)"]),
            (
                "sepia(1) blur(2px) invert(1) blur(3px) sepia(0.5)",
                ["sepia(1)", "sepia(1) blur(2px) invert(1) blur(3px)"]
            ),
            ("blur(0px) sepia(1)", []), ("look(aden) sepia(1)", []),
        ])
    func division(text: String, expected: [String]) throws {
        let chain = try FilterChain(parsing: text)
        #expect(try chain.prefixes == expected.map { try FilterChain(parsing: $0) } + [chain])
    }

    @Test(
        "The parts, one after the other, are the whole",
        arguments: [
            "sepia(1) blur(2px) invert(0.3)", "contrast(1.4) drop-shadow(3px 2px 2px red) sepia(0.7)",
            "saturate(2) blur(1px) brightness(1.3) blur(3px) hue-rotate(90deg)", "look(clarendon) blur(2px) look(moon)",
        ])
    func parts(text: String) throws {
        let chain = try FilterChain(parsing: text)
        var random = SeededRandom(seed: 7)
        let image = PixelBuffer(uninitialized: PixelSize(width: 61, height: 47), isOpaque: false) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
        var whole = image
        chain.apply(to: &whole)
        var inParts = image
        var done = FilterChain.none
        for prefix in chain.prefixes {
            prefix.rest(after: done).apply(to: &inParts)
            done = prefix
        }
        #expect(chain.prefixes.count > 1)
        #expect(whole == inParts)
    }
}
