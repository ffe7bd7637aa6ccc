import Foundation
import ImageCodecs

// Decodes files with crafted headers, one after the other:
//
//   header-decoder SEED COUNT MEGABYTES
//
// The first file is made with SEED, each next one with the number after it; MEGABYTES are the memory limit of each. It says how many
// ended how. What all of them make it and its helper processes take is for others to measure.

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard numbers.count == 3 else { fatalError("which seed, how many files, and how many megabytes?") }
let limits = DecodeLimits(timeLimit: .seconds(2), maxMemory: numbers[2] << 20)
let samples = try SoundFiles.all()
var endings: [String: Int] = [:]
for seed in numbers[0]..<numbers[0] + numbers[1] {
    var crafter = HeaderCrafter(seed: UInt64(truncatingIfNeeded: seed))
    let file = crafter.file(of: samples)
    let ending: String
    do throws(ImageCodecError) {
        _ = try ImageDecoder.decode(file, longestSide: 64, limits: limits)
        ending = "picture"
    } catch {
        ending = Mirror(reflecting: error).children.first?.label ?? "\(error)"
    }
    endings[ending, default: 0] += 1
}
print(endings.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
