import Foundation
import OperationsTesting
import TestServers
import Testing

@testable import Transfers

/// Decoding as such, in pieces of all sizes.
@Suite struct ContentDecoderTests {
    private static let text = Data((0..<9_000).map { "row \($0 * 7_919 % 1_000)\n" }.joined().utf8)

    /// Shows bytes in pieces, and again those that are held back, which is each block when it comes first.
    private func decode(
        _ bytes: Data, _ codings: String, pieces size: Int, holdsBack: Bool = false, maxBytes: Int = 64_000_000
    ) throws -> (body: Data, isWhole: Bool) {
        let decoder = try #require(try ContentDecoder(ContentCodings([codings]), maxBytes: maxBytes))
        var (body, position, size, mayTake) = (Data(), 0, size, !holdsBack)
        while position < bytes.count {
            let end = min(position + size, bytes.count)
            let action = try Array(bytes[position..<end]).withUnsafeBytes { piece in
                try decoder.decode(piece) { block in
                    guard mayTake else {
                        mayTake = true
                        return .pause
                    }
                    body.append(contentsOf: block)
                    mayTake = !holdsBack
                    return .store
                }
            }
            if action == .store { position = end }
            // What was held back comes again in another size.
            if action == .pause { size = size % 5_000 + 1_501 }
        }
        return (body, decoder.isWhole)
    }

    @Test(arguments: Packing.allCases) func piecesOfEachSizeAreOneBody(_ packing: Packing) throws {
        let packed = try packing.packed(Self.text)
        for size in [1, 2, 7, 1_000, 1_000_000] {
            for holdsBack in [false, true] where size > 2 || !holdsBack {
                let (body, isWhole) = try decode(packed, packing.coding, pieces: size, holdsBack: holdsBack)
                #expect(body == Self.text && isWhole, "\(size) \(holdsBack)")
            }
        }
    }

    @Test(arguments: Packing.allCases) func littleThatBecomesMuchIsHeldBackAmidIt(_ packing: Packing) throws {
        let much = Data(count: 3_000_000)
        let (body, isWhole) = try decode(packing.packed(much), packing.coding, pieces: 16_384, holdsBack: true)
        #expect(body == much && isWhole)
    }

    @Test func codingsOfCodingsAreUndoneInTurn() throws {
        let inner = try Packing.rawDeflate.packed(Self.text)
        let packed = try Packing.zstd.packed(Packing.gzip.packed(inner))
        for size in [1, 1_000_000] {
            let (body, isWhole) = try decode(packed, "deflate, x-gzip, zstd", pieces: size, holdsBack: size > 1)
            #expect(body == Self.text && isWhole)
        }
        // What is inside ends too early, and what is around it does not.
        let cut = try Packing.zstd.packed(Packing.gzip.packed(inner.dropLast(5)))
        #expect(try !decode(cut, "deflate, x-gzip, zstd", pieces: 1_000_000).isWhole)
    }

    @Test func whatEndsTooEarlyIsNotWhole() throws {
        let hello = Data("hello".utf8)
        var bodies = try Packing.allCases.map { ($0.coding, try $0.packed(hello)) }
        bodies.append(("br", Packing.brotliHello))
        for (coding, body) in bodies {
            #expect(try decode(body, coding, pieces: 100) == (hello, true), "\(coding)")
            for count in 1..<body.count {
                #expect(try !decode(body.prefix(count), coding, pieces: 100).isWhole, "\(coding) \(count)")
            }
            // Nothing is nothing, in each coding.
            #expect(try decode(Data(), coding, pieces: 1) == (Data(), true), "\(coding)")
        }
    }

    @Test func membersFollowOneAnother() throws {
        let (first, second) = (Self.text.prefix(30_000), Self.text.dropFirst(30_000))
        for packing in [Packing.gzip, .zstd] {
            let packed = try packing.packed(Data(first)) + packing.packed(Data(second))
            for size in [1, 1_000_000] {
                #expect(try decode(packed, packing.coding, pieces: size) == (Self.text, true), "\(packing)")
            }
            #expect(try !decode(packed.dropLast(), packing.coding, pieces: 1_000).isWhole, "\(packing)")
        }
    }

    @Test func whatBelongsToNothingIsLeftOutBehindTheEnd() throws {
        for packing in [Packing.gzip, .deflate, .rawDeflate] {
            let packed = try packing.packed(Self.text)
            for rest in [
                Data(count: 500), Data("garbage".utf8), Data([0x1F]), Data([0x1F, 0x20, 0x1F]), Data([0, 0x1F]),
            ] {
                for size in [1, 1_000_000] {
                    let (body, isWhole) = try decode(packed + rest, packing.coding, pieces: size)
                    #expect(body == Self.text && isWhole, "\(packing) \(Array(rest))")
                }
            }
        }
        let padded = try Packing.gzip.packed(Self.text) + Data(count: 500) + Packing.gzip.packed(Data("end".utf8))
        #expect(try decode(padded, "gzip", pieces: 1_000).body == Self.text + Data("end".utf8))
        #expect(try decode(Packing.brotliHello + Data("rest".utf8), "br", pieces: 1).isWhole)
    }

    @Test func damageIsTold() throws {
        for packing in [Packing.gzip, .deflate] {
            var packed = try packing.packed(Self.text)
            packed[packed.count - 2] ^= 0xFF
            #expect(throws: TransferError.self, "\(packing)") {
                try decode(packed, packing.coding, pieces: 1_000_000)
            }
        }
        // A second member is no rubbish.
        var members = try Packing.gzip.packed(Self.text) + Packing.gzip.packed(Self.text)
        members[members.count - 6] ^= 0xFF
        #expect(throws: TransferError.self) { try decode(members, "gzip", pieces: 1_000) }
        for coding in ["br", "zstd"] {
            #expect(throws: TransferError.self) { try decode(Data([0xFF, 0xFF, 0xFF, 0xFF]), coding, pieces: 4) }
        }
    }

    /// The last coding gives nothing out, so that nobody behind it can count.
    @Test(arguments: [1_000_000, 0, 1_000_000_000, .max]) func whatGrowsBetweenCodingsIsStopped(_ limit: Int) throws {
        let bomb = try Packing.bomb(1 << 27)
        #expect(bomb.count < 1_000)
        let named = limit == .max ? 64_000_000 : limit
        #expect(throws: TransferError.tooLarge(limit: named)) {
            try decode(bomb, "gzip, zstd, zstd", pieces: 1_000_000, maxBytes: limit)
        }
    }

    @Test func whatFollowsTheEndIsLimited() throws {
        let hello = Packing.brotliHello
        #expect(try decode(hello + Data(count: 60_000), "br", pieces: 1_000, maxBytes: 5).isWhole)
        for (coding, body) in [("br", hello), ("gzip", try Packing.gzip.packed(Data("hello".utf8)))] {
            #expect(throws: TransferError.tooLarge(limit: 5), "\(coding)") {
                try decode(body + Data(count: 70_000), coding, pieces: 1_000, maxBytes: 5)
            }
        }
    }

    /// Packing makes it longer.
    @Test func whatCannotBePackedIsWholeAtItsLimit() throws {
        var state: UInt64 = 7
        let noise = Data(
            (0..<500_000).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            })
        for packing in Packing.allCases {
            let packed = try packing.packed(packing.packed(noise))
            let codings = "\(packing.coding), \(packing.coding)"
            #expect(try decode(packed, codings, pieces: 16_384, maxBytes: noise.count) == (noise, true), "\(packing)")
        }
    }

    /// A coding's window has 8 MB at most (RFC 9659).
    @Test func theWindowOfZstdIsLimited() throws {
        #expect(try decode(Packing.zstdFrame(windowLog: 23), "zstd", pieces: 1) == (Data("hello".utf8), true))
        for log in [24, 27] {
            let error = #expect(throws: TransferError.self) {
                try decode(Packing.zstdFrame(windowLog: log), "zstd", pieces: 1)
            }
            #expect(error?.kind == "protocol")
        }
    }

    @Test func whatIsNotCodedIsNotDecoded() throws {
        #expect(try ContentDecoder(ContentCodings(["identity", "utf-8"]), maxBytes: 1) == nil)
    }
}
