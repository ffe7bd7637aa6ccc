import Glibc

/// The lines of a file, which may be compressed, so many at a time; for one thread.
package final class CompressedLines {
    private let descriptor: Int32
    private let reader: UnpackingReader
    private let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0

    /// Opens a file.
    ///
    /// - Parameter limits: How many bytes may be asked for at a time.
    /// - Throws: Also what is no file: a pipe would be waited for.
    package init(path: String, limits: CatalogLimits = CatalogLimits()) throws(CatalogError) {
        limit = limits.maximumBytes
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Catalog.openingError(path, errno) }
        do throws(CatalogError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .isDevice(path: path)
            }
            reader = try UnpackingReader(descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// The next lines with their line feeds; fewer at the end.
    ///
    /// - Throws: `tooLarge` for more bytes than may be asked for: a few of a compressed file may be millions.
    package func lines(_ count: Int) throws(CatalogError) -> [UInt8] {
        var lines: [UInt8] = []
        var left = count
        while left > 0 {
            if position == buffer.count {
                try fill()
                if buffer.isEmpty { break }
            }
            let rest = buffer[position...]
            let end = rest.firstIndex(of: Byte.lineFeed).map { $0 + 1 } ?? rest.endIndex
            if buffer[end - 1] == Byte.lineFeed { left -= 1 }
            lines.append(contentsOf: buffer[position..<end])
            guard lines.count <= limit else { throw .tooLarge(limit: limit) }
            position = end
        }
        return lines
    }

    private func fill() throws(CatalogError) {
        buffer.removeAll(keepingCapacity: true)
        position = 0
        _ = try reader.append(to: &buffer, atMost: 1 << 17)
    }
}
