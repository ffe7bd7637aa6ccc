import Foundation
import ImageCodecs
import Testing

/// The fields of EXIF by their names.
@Suite struct EXIFFieldsTests {
    /// A field: its tag, its type, its count, and its bytes in the order of `MM`.
    private typealias Field = (tag: Int, type: Int, count: Int, bytes: [UInt8])

    private func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func text(_ tag: Int, _ text: String) -> Field { (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]) }

    private func rational(_ tag: Int, _ parts: (Int, Int)..., type: Int = 5) -> Field {
        (tag, type, parts.count, parts.flatMap { big($0.0, 4) + big($0.1, 4) })
    }

    /// Directories of a block: the first one, EXIF's own, and that of the place.
    private func metadata(_ main: [Field], _ exif: [Field] = [], place: [Field] = []) -> ImageMetadata {
        func directory(_ fields: [Field], at start: Int) -> [UInt8] {
            var (entries, values) = (big(fields.count, 2), [UInt8]())
            for field in fields {
                entries += big(field.tag, 2) + big(field.type, 2) + big(field.count, 4)
                if field.bytes.count <= 4 {
                    entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
                } else {
                    entries += big(start + 6 + 12 * fields.count + values.count, 4)
                    values += field.bytes
                }
            }
            return entries + big(0, 4) + values
        }
        let all = main + [(34_665, 4, 1, big(0, 4)), (34_853, 4, 1, big(0, 4))]
        let exifStart = 8 + directory(all, at: 8).count
        let placeStart = exifStart + directory(exif, at: exifStart).count
        let first = main + [(34_665, 4, 1, big(exifStart, 4)), (34_853, 4, 1, big(placeStart, 4))]
        let bytes =
            Array("MM".utf8) + big(42, 2) + big(8, 4) + directory(first, at: 8) + directory(exif, at: exifStart)
            + directory(place, at: placeStart)
        return ImageMetadata(exif: Data(bytes))
    }

    private var whole: ImageMetadata {
        metadata(
            [
                text(271, " ACME "), text(272, "Model 7"), text(315, "Ansel"), text(33_432, "(c) Ansel"),
                (274, 3, 1, big(6, 2)),
            ],
            [
                rational(33_434, (1, 250)), rational(33_437, (28, 10)), (34_855, 3, 1, big(400, 2)),
                (36_864, 7, 4, Array("0232".utf8)), text(36_867, "2024:05:06 07:08:09"),
                rational(37_380, (-1, 3), type: 10), text(42_033, "SN123"),
                rational(42_034, (24, 1), (70, 1), (28, 10), (28, 10)),
                (37_510, 7, 12, Array("UNICODE\0".utf8) + [0, 0x68, 0, 0x69]),
            ],
            place: [
                text(1, "S"), rational(2, (33, 1), (30, 1), (36, 1)), text(3, "E"),
                rational(4, (151, 1), (15, 1), (0, 1)),
                (5, 1, 1, [1]), rational(6, (25, 2)),
            ])
    }

    @Test func technicalFieldsSayNothingOfPeopleAndPlaces() {
        #expect(
            EXIFFields(in: whole).values == [
                "Make": .text("ACME"), "Model": .text("Model 7"), "Copyright": .text("(c) Ansel"),
                "ExposureTime": .number(0.004), "FNumber": .number(2.8), "ISO": .number(400),
                "ExifVersion": .text("0232"),
                "DateTimeOriginal": .text("2024:05:06 07:08:09"), "ExposureCompensation": .number(-1.0 / 3),
                "LensInfo": .numbers([24, 70, 2.8, 2.8]),
            ])
    }

    @Test func allFieldsHaveThePlaceInDegrees() {
        let values = EXIFFields(in: whole, .all).values
        #expect(values["GPSLatitude"] == .number(-33.51))
        #expect(values["GPSLongitude"] == .number(151.25))
        #expect(values["GPSAltitude"] == .number(-12.5))
        #expect(values["Artist"] == .text("Ansel") && values["SerialNumber"] == .text("SN123"))
        #expect(values["UserComment"] == .text("hi"))
    }

    @Test func textsThatAreNotUTF8AreTakenForLatin1AndLongOnesAreCut() {
        let long = String(repeating: "é", count: 3_000)
        let values = EXIFFields(in: metadata([(271, 2, 3, [0x63, 0xE9, 0]), text(272, long), text(305, " \0x")])).values
        #expect(values["Make"] == .text("cé"))
        #expect(values["Model"] == .text(String(long.prefix(500))))
        #expect(values["Software"] == nil)
    }

    /// An adapted lens does not know its f-number, and a place may have no seconds: 0/0.
    @Test func partsMayBeUnknown() {
        let values = EXIFFields(
            in: metadata(
                [], [rational(42_034, (18, 1), (55, 2), (0, 0), (0, 0))],
                place: [text(1, "S"), rational(2, (33, 1), (30, 1), (0, 0)), rational(4, (0, 0), (1, 1), (1, 1))]),
            .all
        ).values
        #expect(values["LensInfo"] == .text("18 27.5 undef undef"))
        #expect(values["GPSLatitude"] == .number(-33.5))
        #expect(values["GPSLongitude"] == nil)
    }

    @Test func whatMakesNoSenseIsLeftOut() {
        let values = EXIFFields(
            in: metadata(
                [(271, 2, 0x7FFF_FFFF, [0, 0, 0, 9]), (272, 99, 1, [1])],
                [
                    rational(33_434, (1, 0)), rational(33_437, (0, 0)),
                    (34_855, 3, 2_000, [UInt8](repeating: 1, count: 4_000)),
                    (41_986, 12, 1, [0x7F, 0xF0, 0, 0, 0, 0, 0, 0]), (37_385, 2, 2, [0x39, 0]),
                ], place: [rational(2, (500, 1))]), .all
        ).values
        #expect(values == ["Flash": .text("9")])
    }

    @Test func noBytesMakeItFailOrLarge() throws {
        var state = UInt64.random(in: 0...UInt64.max)
        let seed = state
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let block = try #require(whole.exif)
        for _ in 0..<20_000 {
            var bytes = [UInt8](block)
            for _ in 0...next(8) { bytes[next(bytes.count)] = UInt8(next(256)) }
            let values = EXIFFields(in: ImageMetadata(exif: Data(bytes.prefix(next(bytes.count + 1)))), .all).values
            #expect(values.count <= 80, "seed \(seed)")
            for case .text(let text) in values.values { #expect(text.utf8.count <= 1_000, "seed \(seed)") }
        }
    }
}
