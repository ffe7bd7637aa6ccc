import Glibc
import Transfers
import Wording

/// `--header`: what requests for the photos are sent with. Messages do not repeat it, as it may be what lets somebody in.
enum HeaderOptions {
    static let help = """
        --header goes to the hosts that the catalog names, not to the one that the catalog itself comes from, and not along
        where a redirect leads to another host. Other users of a machine can see its command lines: --header @FILE reads
        headers from a file, one on each line, and @- from standard input.
        """

    /// The most bytes of a file of headers.
    private static let largestFile = 65_536

    static func add(to parser: inout OptionParser) {
        parser.values(
            "header", "LINE|@FILE", "'NAME: VALUE', sent with the requests for photos; may be given several times")
    }

    /// What all options together say.
    static func headers(_ values: OptionValues) throws(UsageError) -> RequestHeaders {
        var headers = RequestHeaders()
        for text in values.list("header") {
            guard text.hasPrefix("@") else {
                try add(text, to: &headers)
                continue
            }
            // A plan has its catalog with it.
            if text == "@-", values.text("plan") == nil, values.arguments.first == "-" {
                throw UsageError("--header @- and the catalog cannot both be standard input")
            }
            for line in try lines(of: String(text.dropFirst())) { try add(line, to: &headers) }
        }
        return headers
    }

    private static func add(_ line: String, to headers: inout RequestHeaders) throws(UsageError) {
        let header: RequestHeaders
        do throws(RequestHeaders.FieldError) {
            header = try RequestHeaders(line: line)
        } catch {
            switch error {
            case .noColon, .name, .credentials:
                throw UsageError("--header takes 'NAME: VALUE', or @FILE with one on each line")
            case .reserved(let name) where name.lowercased() == "user-agent":
                throw UsageError("--header: for the user agent there is --user-agent")
            case .reserved(let name):
                throw UsageError("--header: the program sets the header \(name) itself")
            case .value(let name):
                throw UsageError("--header: the value of \(name) has a line break or another control character")
            }
        }
        for name in header.names where headers.value(of: name) != nil {
            throw UsageError("--header: \(name) is given twice")
        }
        headers = headers.merging(header)
    }

    private static func lines(of path: String) throws(UsageError) -> [String] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var slice = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &slice, slice.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            bytes += slice[..<count]
            guard bytes.count <= largestFile else { throw UsageError("--header: \(path.printable) is too large") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("--header: \(path.printable) is not UTF-8")
        }
        return text.split { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    private static func failure(_ path: String) -> UsageError {
        UsageError("--header: \(path.printable): \(String(cString: strerror(errno)))")
    }
}
