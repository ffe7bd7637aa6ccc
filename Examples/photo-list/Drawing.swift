import Glibc
import Pixels

/// Two pictures as text: in colour on a terminal, in shades elsewhere.
func sideBySide(_ left: PixelBuffer, _ right: PixelBuffer, columns: Int = 36) -> String {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // A character is about twice as high as it is wide.
    let rows = max(1, columns * left.size.height / left.size.width / 2)
    return (0..<rows).map { row in
        [left, right].map { image in
            let cells = (0..<columns).map { column in
                isTerminal
                    ? colour(image, column, row, columns, rows) : shade(image, column, row, columns, rows)
            }
            return cells.joined() + (isTerminal ? "\u{1B}[0m" : "")
        }.joined(separator: "  ")
    }.joined(separator: "\n")
}

/// The red, green and blue of the pixel in the middle of a cell of a grid, whose upper half may be asked for alone.
private func pixel(_ image: PixelBuffer, _ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> [Int] {
    let x = (2 * column + 1) * image.size.width / (2 * columns)
    let y = (2 * row + 1) * image.size.height / (2 * rows)
    return image.withUnsafeBytes { bytes in (0..<3).map { Int(bytes[y * image.bytesPerRow + x * 4 + $0]) } }
}

/// Two pixels, one above the other, in one character.
private func colour(_ image: PixelBuffer, _ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> String {
    let upper = pixel(image, column, 2 * row, columns, 2 * rows)
    let lower = pixel(image, column, 2 * row + 1, columns, 2 * rows)
    func code(_ pixel: [Int]) -> String { pixel.map(String.init).joined(separator: ";") }
    return "\u{1B}[38;2;\(code(upper))m\u{1B}[48;2;\(code(lower))m▀"
}

private func shade(_ image: PixelBuffer, _ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> String {
    let shades = Array(" .:-=+*#%@")
    let colour = pixel(image, column, row, columns, rows)
    let light = (colour[0] * 54 + colour[1] * 183 + colour[2] * 19) / 256
    return String(shades[light * shades.count / 256])
}
