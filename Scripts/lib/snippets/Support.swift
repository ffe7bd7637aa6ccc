// stdout is a variable of C.
@preconcurrency import Foundation
import ImageCodecs
import Pixels

/// What is to happen before any snippet runs.
func prepare() {
    // What was printed before a crash or a hang is seen.
    setvbuf(stdout, nil, _IOLBF, 0)
    // Ends this process where nobody is left to do so.
    alarm(120)
}

/// Ends the program with a message and status 1.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
}

/// Writes the photo that snippets find in their folder and at https://example.org/.
func writeSamples() throws {
    var image = PixelBuffer(size: PixelSize(width: 1200, height: 800))
    image.withUnsafeMutableBytes { bytes in
        for index in bytes.indices {
            let (column, row) = (index / 4 % 1200, index / 4800)
            bytes[index] = [UInt8(column / 5), UInt8(row / 4), UInt8(255 - row / 4), 255][index % 4]
        }
    }
    try ImageEncoder(format: .jpeg).encode(image).write(to: URL(filePath: "dune.jpg"))
}
