import Foundation
import ImageCodecs
import Pixels
import Testing

/// JPEG data that decoders paper over.
struct DamagedJPEGTests {
    /// Waves and a little noise, so that there are codes of all kinds.
    private static let picture = PixelBuffer(uninitialized: PixelSize(width: 320, height: 240), isOpaque: true) {
        bytes in
        var random: UInt32 = 99
        for index in bytes.indices {
            random = random &* 1_664_525 &+ 1_013_904_223
            let (x, y) = (Double(index / 4 % 320), Double(index / 4 / 320))
            let wave = 128 + 60 * sin(x / 9 + y / 31) + 40 * cos(y / 7 - Double(index % 4)) + Double(random >> 28)
            bytes[index] = index % 4 == 3 ? 255 : UInt8(min(255, max(0, wave)))
        }
    }

    private static func file(progressive: Bool) throws -> Data {
        var encoder = ImageEncoder(format: .jpeg)
        encoder.isProgressive = progressive
        return try encoder.encode(picture)
    }

    private static func scans(_ file: Data) -> [Int] {
        file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    }

    private func outcome(
        _ file: Data, tolerant: Bool, isolation: DecodeIsolation = .standard, side: Int? = nil
    ) -> Result<DecodedImage, ImageCodecError> {
        Result { () throws(ImageCodecError) in
            try ImageDecoder.decodeWithInfo(
                file, DecodeOptions(resize: side.map(Resize.longestSide), toleratesDamage: tolerant),
                limits: DecodeLimits(isolation: isolation))
        }
    }

    /// It is damaged, and shown where that is tolerated, with the reason.
    private func expectDamage(_ file: Data, _ what: Comment) {
        for isolation in DecodeIsolation.allCases {
            for side in [nil, 64] {
                guard
                    case .failure(.damaged(let words)) = outcome(
                        file, tolerant: false, isolation: isolation, side: side)
                else {
                    Issue.record("taken for good: \(what)")
                    continue
                }
                guard case .success(let image) = outcome(file, tolerant: true, isolation: isolation, side: side) else {
                    Issue.record("not shown: \(what)")
                    continue
                }
                #expect(image.damage == words, what)
                #expect(image.pixels.size == Self.picture.size.fitting(longestSide: side ?? 320), what)
            }
        }
    }

    @Test(arguments: [false, true])
    func aFileThatIsCutOff(progressive: Bool) throws {
        let file = try Self.file(progressive: progressive)
        expectDamage(file.dropLast(file.count / 3), "cut off")
        // And with an end put to it, as programs do that save what they have.
        expectDamage(file.dropLast(file.count / 3) + [0xFF, 0xD9], "cut off, with an end")
    }

    @Test func scansThatAreMissing() throws {
        let file = try Self.file(progressive: true)
        let scans = Self.scans(file)
        #expect(scans.count >= 8)
        for count in [1, 2, scans.count - 1] {
            expectDamage(file.prefix(upTo: scans[count]) + [0xFF, 0xD9], "only \(count) scans")
        }
    }

    @Test func codesThatAreOverwritten() throws {
        for progressive in [false, true] {
            var file = try Self.file(progressive: progressive)
            let start = try #require(Self.scans(file).first) + 1_500
            for index in start..<start + 300 { file[index] = file[index] == 0xFF ? 0xFF : UInt8(index * 37 & 0x7F) }
            expectDamage(file, "overwritten, progressive \(progressive)")
        }
    }

    /// Codes that are left over at the end tell that those before them are not the picture's.
    @Test(arguments: [40, 300, 700])
    func partsThatAreThereTwice(count: Int) throws {
        let file = try Self.file(progressive: false)
        let start = try #require(Self.scans(file).first) + 3_000
        expectDamage(
            file.prefix(start + count) + file[start..<start + count] + file.dropFirst(start + count),
            "\(count) bytes twice")
    }

    /// Its decoder takes what is missing for zeros.
    @Test(arguments: [arithmetic, progressiveArithmetic])
    func anArithmeticFileThatIsCutOff(text: String) throws {
        let file = try #require(Data(base64Encoded: text))
        for isolation in DecodeIsolation.allCases {
            let whole = try outcome(file, tolerant: false, isolation: isolation).get()
            #expect(whole.pixels.size == PixelSize(width: 48, height: 32))
            for percent in [60, 80, 95] {
                let cut = file.prefix(file.count * percent / 100)
                #expect(throws: ImageCodecError.damaged("the file is cut off"), "\(percent)") {
                    try outcome(cut, tolerant: false, isolation: isolation).get()
                }
                #expect(try outcome(cut, tolerant: true, isolation: isolation).get().damage == "the file is cut off")
            }
        }
    }

    private static let arithmetic = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV\
        pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//yQARCAAg\
        ADADASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/AG+BeXJJSE/Y6PiGu66ialXl/i7OnHgqFwPRdZ4KMXfGIoWNID/mfZorfE\
        NVcSz2P4MVk4LzzxaWzelXiiKR9WYGAaLrS21SFmPullXOUYWg+1HiXu3gt6pygajir/hU/hZ0FpzN11xyrZe6uW1jagNGBj0GjlZxBioDZDVa\
        otIAluwdyjRjIVLvHVLf7IWD59CwDMONMVv6yZmQ/syV6lsI2JTGHnAEJBbdMrSFWz6nAm+wZWY4yiDu+M7pMVwMDiMGsvW767od6pxipiapZd\
        i0PJzzSoVxXjhNxGnWoqrPxAaxNK/sxZMAAZXv7wq0DQJkTJuUXPQr8eKRIR3F4zg4Rv4agIBiXq9PnAC7xN6owcAIvttjf2XvnZcVDok8etXP\
        8aZ4LgpWSVCLtxPB1DY+MM1ilxBG3MWhjeNyuEdRALgUav8AYx1sVC2YCEPVQcBqGqSQOD2zTyJ7QBUWzOQtpr11lPMVi91uCOut1BNaRWUyO6\
        5Noe9uE46ZllwFQduWumPFswzw56rPPO7XFM0AsrlI3+u5j9aUjjx3AeYlPXT/2Q==
        """

    private static let progressiveArithmetic = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV\
        pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//ygARCAAg\
        ADADASIAAhEBAxEB/8wABgAQARD/2gAMAwEAAhADEAAAAf7g/uRwbQOoSyNN6V0QQfcDWnTWZFsB+QTFnyjf/f8A9O/FEP/MAAQQBf/aAAgBAQ\
        ABBQIa7qNbGbkvZCwWABmZsnYFAqNVlx1OWC4lEvjGRdMpYuPXvVj7CzqHGoGiOP/MAAQRBf/aAAgBAwEBPwFKakCfEFuKBDE0zDZO72j/zAAE\
        EQX/2gAIAQIBAT8BQ2ewz7cwOzbaRr8GCs2VxTMtnlaBgLPQ/8wABBAF/9oACAEBAAY/At1kZVfI5sgC3DmwwM8Fnhvy8fuCNfkUNxSgjta8D1\
        SluUiA/8wABBAF/9oACAEBAAE/IfZoQC7H9e4yys2juVrtbgLKFcfRntxYDlEBP0puZaBK5Ua8k+4N7rLFFvhHXm7RbrRiaXCk9hitK+iE7qD/\
        2gAMAwEAAgADAAAAEAR4tdXw/8wABBEF/9oACAEDAQE/ENcll6/zOko4/HLI/8wABBEF/9oACAECAQE/EJFM92LT6MIIce31gN/Tmb/em8XkcT\
        rXYP/MAAQQBf/aAAgBAQABPxBQLFFpPIporgfFlaIxUihOhWB/4YyYC9oVSxI1kOB0Md3+NkKhQolg/wBZ9nTxYG7Xz7NSKMAoMhxiMpVsefTy\
        EfS4sJ9UYewoz8WklaWN2v8ASnKdpKnKevVBCW2Z95QLKchkrmFRIg9tH6GrH/8AbsCCgYzFnFa/2Izqqv1cBWVxJEZQTDrUH3OhVA89kka+Cx\
        1E1/UmQNIhcf/Z
        """

    @Test func whatIsSoundStaysSound() throws {
        for progressive in [false, true] {
            let file = try Self.file(progressive: progressive)
            // As some cameras write it: with bytes to fill up before the end, or behind it, or without an end.
            let filled: Data = file.dropLast(2) + Data(count: 500) + Data([0xFF, 0xD9])
            let others: [Data] = [file, filled, file + Data(count: 90), file.dropLast(2)]
            for other in others {
                for tolerant in [false, true] {
                    let image = try outcome(other, tolerant: tolerant).get()
                    #expect(image.damage == nil)
                }
            }
        }
    }

    @Test func whatCannotBeShownIsAnErrorAllTheSame() throws {
        let file = try Self.file(progressive: false)
        let png = try ImageEncoder(format: .png).encode(Self.picture)
        let files: [Data] = [file.prefix(200), Data([0xFF, 0xD8, 0xFF, 0xD9]), png.dropLast(500)]
        for broken in files {
            guard case .failure(.damaged) = outcome(broken, tolerant: true) else {
                Issue.record("\(broken.count) bytes were shown")
                continue
            }
        }
    }
}
