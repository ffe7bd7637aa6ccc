import PhotoPipeline

/// A row in the file of a task: an object of JSON in a line, with the row's number, name and address and, where the catalog has one, its
/// entry.
enum TaskLine {
    private static let (beginning, beforeEntry) = ("{\"row\":", ",\"catalog\":")
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    static func append(number: Int, name: String, address: String, entry: String?, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: beginning.utf8)
        bytes.append(contentsOf: String(number).utf8)
        bytes.append(contentsOf: ",\"name\":".utf8)
        append(json: name, to: &bytes)
        bytes.append(contentsOf: ",\"url\":".utf8)
        append(json: address, to: &bytes)
        if let entry {
            bytes.append(contentsOf: beforeEntry.utf8)
            bytes.append(contentsOf: entry.utf8)
        }
        bytes.append(contentsOf: "}\n".utf8)
    }

    private static func append(json text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case ..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    /// The number and the entry of a row that was read.
    static func parts(of line: String) -> (number: Int, entry: String?)? {
        guard line.hasPrefix(beginning) else { return nil }
        let rest = line.utf8.dropFirst(beginning.utf8.count)
        guard let number = Int(String(decoding: rest.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)) else {
            return nil
        }
        // In a name or an address the quotation marks would have backslashes in front.
        let mark = Array(beforeEntry.utf8)
        let bytes = Array(rest)
        var place = 0
        while place + mark.count < bytes.count {
            if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
                return (number, String(decoding: bytes[(place + mark.count)..<(bytes.count - 1)], as: UTF8.self))
            }
            place += 1
        }
        return (number, nil)
    }
}
