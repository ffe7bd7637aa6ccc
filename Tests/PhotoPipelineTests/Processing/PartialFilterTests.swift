import Foundation
import TestServers
import XCTest

@testable import PhotoPipeline

/// Filters of which a request wants only a part.
final class PartialFilterTests: PipelineTestCase {
    private func blur(_ deviation: Double) -> FilterChain { FilterChain([.blur(deviation: deviation)]) }

    func testThePipelineMakesWhatTheFilterMakes() async throws {
        let pipeline = pipeline()
        let filter = try FilterChain(parsing: "invert(1) blur(4px)")
        let published = try await value(from: pipeline, ImageRequest(address: server.url("/1.png"))).size.width
        for size in [nil, 16] {
            let plain = try await value(
                from: pipeline, ImageRequest(address: server.url("/1.png"), longestSide: size))
            let scale = Double(plain.size.width) / Double(published)
            for intensity in [0.0, 0.25, 0.6, 1] {
                let request = ImageRequest(
                    address: server.url("/1.png"), longestSide: size,
                    processing: ProcessingChain(filter, intensity: intensity))
                let image = try await value(from: pipeline, request)
                XCTAssertEqual(image, filter.applied(to: plain, intensity: intensity, scale: scale), "\(intensity)")
            }
        }
        eventuallyEmpty(pipeline)
    }

    func testWhatComesToTheSameIsTheSame() {
        XCTAssertEqual(ProcessingChain(.classic, intensity: 1), ProcessingChain(.classic))
        XCTAssertEqual(ProcessingChain(.classic, intensity: 7), ProcessingChain(.classic))
        XCTAssertEqual(ProcessingChain(.classic, intensity: 0), .none)
        XCTAssertEqual(ProcessingChain(.none, intensity: 0.5), .none)
        XCTAssertEqual(ProcessingChain(.classic, intensity: 0.5), ProcessingChain(.classic, intensity: 0.5001))
        XCTAssertNotEqual(ProcessingChain(.classic, intensity: 0.5), ProcessingChain(.classic, intensity: 0.6))
        XCTAssertNotEqual(ProcessingChain(blur(1), intensity: 0.5), ProcessingChain(blur(2), intensity: 0.5))
    }
}
