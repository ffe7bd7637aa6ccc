import Foundation
import ImageCodecs
import OperationsTesting
import Pixels
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

    /// Each group is drawn on a surface of its own, of 15 MB, and librsvg says that there is no memory for one. More than 20 of
    /// them, one in another, newer versions of it do not draw.
    func testADecoderThatEndsInOrder() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not limited")
        let groups = String(repeating: "<g opacity='0.99'>", count: 16)
        let ends = String(repeating: "</g>", count: 16)
        let file = drawing(2_000, 2_000, "\(groups)<rect width='2000' height='2000'/>\(ends)")
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

    /// Its memory grows with the file, which of noise is as large as the picture.
    func testAJPEGThatMemoryIsLackingForIsNoCrash() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not what it is")
        var generator = SeededRandom(seed: 1)
        var noise = PixelBuffer(size: PixelSize(width: 1_024, height: 1_024))
        noise.withUnsafeMutableBytes { bytes in
            let words = bytes.bindMemory(to: UInt64.self)
            for index in words.indices { words[index] = generator.next() | 0xFF00_0000_FF00_0000 }
        }
        var picture = PixelBuffer(size: PixelSize(width: 4_096, height: 4_096))
        for tile in 0..<16 { picture.draw(noise, at: (tile % 4 * 1_024, tile / 4 * 1_024)) }
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        var before = rlimit()
        getrlimit(resource, &before)
        defer { setrlimit(resource, &before) }
        var failures = 0
        for megabytes in [3, 12, 50] {
            var limit = before
            limit.rlim_cur = rlim_t(ProcessStatus.size + megabytes << 20)
            setrlimit(resource, &limit)
            defer { setrlimit(resource, &before) }
            do throws(ImageCodecError) {
                _ = try ImageEncoder(format: .jpeg, quality: 100).encode(picture)
            } catch {
                failures += 1
            }
        }
        XCTAssertGreaterThan(failures, 0)
        XCTAssertNoThrow(try ImageEncoder(format: .jpeg, quality: 100).encode(picture))
    }

    /// What is known beforehand is named.
    func testTheSentence() {
        let error = ImageCodecError.tooMuchMemory(needed: 80 << 20, limit: 50 << 20)
        XCTAssertEqual(
            error.description, "Decoding the picture would take 80 MB of memory; the limit is 50 MB.")
    }
}
