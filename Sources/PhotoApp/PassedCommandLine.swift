import CGtk
import Glibc
import GtkSupport
import PhotoBrowser

/// What another start of the program was asked for, which this one is to open.
struct PassedCommandLine {
    /// Absolute paths, addresses, or `-`, as ``PhotoBrowser/OpenRequest/arguments`` has them.
    let operands: [String]
    private let line: OpaquePointer

    init(_ line: OpaquePointer) {
        self.line = line
        var count: Int32 = 0
        let arguments = g_application_command_line_get_arguments(cast(line), &count)
        defer { g_strfreev(arguments) }
        operands = (0..<Int(count)).dropFirst().compactMap { index in
            arguments?[index].map { String(cString: $0) }
        }
    }

    /// What is to be opened; nil where there is none, or its standard input cannot be had.
    var request: OpenRequest? { operands == ["-"] ? input : OpenRequest(arguments: operands) }

    /// The other one's standard input, which comes over the message bus.
    private var input: OpenRequest? {
        guard let stream = g_application_command_line_get_stdin(cast(line)) else { return nil }
        defer { g_object_unref(stream) }
        guard g_type_is_a(cgtk_instance_type(UnsafeMutableRawPointer(stream)), g_unix_input_stream_get_type()) != 0
        else { return nil }
        let descriptor = fcntl(g_unix_input_stream_get_fd(stream), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        let directory = g_application_command_line_get_cwd(cast(line)).map { String(cString: $0) } ?? "/"
        return .passed(PassedInput(owning: descriptor, currentDirectory: directory))
    }
}
