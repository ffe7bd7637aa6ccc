import Foundation
import ImageCodecs
import XCTest

/// Pictures whose decoder takes more memory than their headers let expect, and meets the limit that the system enforces.
final class MemoryLimitTests: XCTestCase {
    private func drawing(_ width: Int, _ height: Int, _ content: String) -> Data {
        Data("<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>\(content)</svg>".utf8)
    }

    private func failure(_ file: Data, megabytes: Int) -> ImageCodecError? {
        do throws(ImageCodecError) {
            _ = try ImageDecoder.decode(file, longestSide: nil, limits: DecodeLimits(maxMemory: megabytes << 20))
            return nil
        } catch {
            return error
        }
    }

    private func limit(_ megabytes: Int) -> ImageCodecError {
        .tooMuchMemory(needed: megabytes << 20, limit: megabytes << 20)
    }

    /// Each group is drawn on a surface of its own, of 8 MB, and librsvg says that there is no memory for one.
    func testADecoderThatEndsInOrder() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not limited")
        let groups = String(repeating: "<g opacity='0.99'>", count: 100)
        let ends = String(repeating: "</g>", count: 100)
        let file = drawing(2_000, 1_000, "\(groups)<rect width='2000' height='1000'/>\(ends)")
        XCTAssertEqual(failure(file, megabytes: 50), limit(50))
        XCTAssertEqual(limit(50).description, "Decoding the picture takes more memory than the limit of 50 MB.")
        // Its helper, or the next one, is as good as before.
        XCTAssertNil(failure(drawing(200, 100, "<rect width='200' height='100'/>"), megabytes: 50))
        XCTAssertNil(failure(file, megabytes: 1_000))
    }

    /// Elements are kept in memory, and librsvg ends the process where there is none for the next one.
    func testADecoderThatCrashes() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not limited")
        let file = drawing(20, 10, (0..<200_000).map { "<path id='p\($0)' d='M0 0L\($0) 5'/>" }.joined())
        XCTAssertEqual(failure(file, megabytes: 8), limit(8))
        XCTAssertNil(failure(drawing(200, 100, "<rect width='200' height='100'/>"), megabytes: 8))
    }

    /// What is known beforehand is named.
    func testTheSentence() {
        let error = ImageCodecError.tooMuchMemory(needed: 80 << 20, limit: 50 << 20)
        XCTAssertEqual(
            error.description, "Decoding the picture would take 80 MB of memory; the limit is 50 MB.")
    }
}
