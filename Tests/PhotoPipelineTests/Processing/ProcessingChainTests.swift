import Foundation
import PhotoPipeline
import Testing

@testable import struct PhotoPipeline.ProcessingChain

@Suite struct ProcessingChainTests {
    private func filter(_ text: String) throws -> ProcessingStep { .filter(try FilterChain(parsing: text)) }
    private func processor(_ key: String) -> ProcessingStep { .processor(Processor(key) { image, _ in image }) }

    @Test("Functions that stand next to each other are one filter, in however many steps")
    func canonical() throws {
        let one: ProcessingChain = [try filter("sepia(1) invert(1)"), processor("a"), try filter("blur(2px)")]
        let other: ProcessingChain = [
            try filter("none"), try filter("sepia(1)"), try filter("invert(1)"), processor("a"), try filter("none"),
            try filter("blur(2px)"),
        ]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(other.steps == [try filter("sepia(1) invert(1)"), processor("a"), try filter("blur(2px)")])
        #expect("\(other)" == "sepia(1) invert(1) Processor(a) blur(2px)")
        #expect(other.filter == nil)
    }

    @Test("A filter alone is the short form")
    func short() throws {
        let chain = try FilterChain(parsing: "sepia(1)")
        var request = ImageRequest(address: URL(filePath: "/a.png"), filter: chain)
        #expect(request.processing == [.filter(chain)])
        #expect(request.filter == chain)
        request.processing = [processor("a")]
        #expect(request.filter == .none)
        request.filter = chain
        #expect(request == ImageRequest(address: URL(filePath: "/a.png"), processing: [.filter(chain)]))
        #expect(ProcessingChain.none.isEmpty)
        #expect("\(ProcessingChain.none)" == "none")
        #expect([] as ProcessingChain == .none)
    }

    @Test("Before and behind each processor is a beginning, and in filters where they are divided")
    func beginnings() throws {
        let chain: ProcessingChain = [
            try filter("sepia(1) blur(2px)"), processor("a"), processor("b"), try filter("invert(1) blur(1px)"),
        ]
        #expect(
            chain.beginnings.map(\.step) == [
                try filter("sepia(1)"), try filter("blur(2px)"), processor("a"), processor("b"),
                try filter("invert(1)"),
                try filter("blur(1px)"),
            ])
        for (index, beginning) in chain.beginnings.enumerated() {
            #expect(beginning.chain == ProcessingChain(chain.beginnings[...index].map(\.step)))
        }
        #expect(chain.beginnings.last?.chain == chain)
        // Nothing is a step too, which says that it is done.
        #expect(ProcessingChain.none.beginnings.map(\.chain) == [.none])
        #expect(([processor("a")] as ProcessingChain).beginnings.count == 1)
    }
}
