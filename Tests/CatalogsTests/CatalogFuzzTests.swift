import Catalogs
import Foundation
import OperationsTesting
import Testing
import Transfers

/// Random changes to sound catalogs never crash, and what they give can be asked for everything.
struct CatalogFuzzTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mutationsNeverCrash(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var seeds = Sample.all.values.sorted().map { Array($0.utf8) }
        let value: [Any] = [["name": "ảnh 1", "url": "http://h/a.jpg"], "b.jpg", ["url": 3]]
        let binary = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        seeds.append(Array(binary))
        seeds.append(Array(#"{"photos":[{"url":"\u0061\ud83d\ude00","name":null},[],1e5]}"#.utf8))
        seeds.append([0xFE, 0xFF] + Array("[\"ả\"]".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        let alphabet = Array("<>{}[]()\"'\\/&;:,=#%!-?u0\n\r\t \u{0}".utf8) + [0xFF, 0xC3, 0xD8, 0x80]
        var rows = 0
        for round in 0..<8_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: min(place, bytes.count))
                case 2 where !bytes.isEmpty: bytes.remove(at: place)
                case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0..<8, using: &random)))
                default: bytes.insert(contentsOf: bytes[place...].prefix(12), at: min(place, bytes.count))
                }
            }
            let origin = round % 2 == 0 ? Sample.local : Sample.remote
            guard let catalog = try? Catalog(parsing: Data(bytes), origin: origin) else { continue }
            for row in catalog {
                rows += 1
                switch row.content {
                case .success(.web), .failure: break
                case .success(.file): #expect(!origin.isRemote, "seed \(seed), round \(round)")
                case .success(.unusable(let url, _)): Issue.record("seed \(seed), round \(round): \(url)")
                }
            }
            #expect(catalog.names.count == catalog.count && catalog.map(\.place).count == catalog.count)
        }
        #expect(rows > 1_000, "seed \(seed): too few catalogs were left to look at")
    }
}
