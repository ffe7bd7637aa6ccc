// Fetches a picture, filters it and saves it as JPEG, at most 1024 pixels wide and high:
//     swift run fetch-picture ADDRESS FILE [FILTER]

import Foundation
import PhotoPipeline

let arguments = CommandLine.arguments.dropFirst()
guard (2...3).contains(arguments.count), let address = URL(string: arguments[1]) else {
    print("Usage: fetch-picture ADDRESS FILE [FILTER]")
    exit(2)
}
do {
    let filter = try arguments.count == 3 ? FilterChain(parsing: arguments[3]) : .classic
    let request = ImageRequest(
        address: address, longestSide: 1024, filter: filter, allowsLocalFiles: address.isFileURL)
    let image = try await PhotoPipeline().image(for: request)
    try ImageEncoder(format: .jpeg).encode(image).write(to: URL(filePath: arguments[2]), options: .atomic)
    print("\(arguments[2]): \(image.size.width) x \(image.size.height) pixels")
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
