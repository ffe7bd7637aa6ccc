// Develops a catalog with a decoder that is slow on purpose, to measure that downloads do not pile up before it;
// Benchmarks/pipeline-memory calls it. It is not installed.
import CGLib
import FoundationEssentials
import Glibc
import PhotoDevelopment
import PhotoPipeline

func end(_ status: Int32, _ text: String) -> Never {
    let line = Array("develop-driver: \(text)\n".utf8)
    write(2, line, line.count)
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 5, let factor = Int(arguments[0]), factor > 0, let size = Int(arguments[4]), size > 0 else {
    end(2, "usage: develop-driver FACTOR CATALOG OUTPUT REPORT SIZE")
}
// What `classicphotos` asks of the system, so that memory can be compared.
var files = rlimit()
if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 {
    files.rlim_cur = files.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
}
cglib_set_malloc_options(256 * 1_024, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

var options = DevelopmentOptions(output: arguments[2])
options.report = arguments[3]
options.resize = .longestSide(size)
options.decoders = [SlowDecoder(factor: factor)]
do {
    let catalog = try await Catalog.load(from: Catalog.Source(argument: arguments[1]))
    let summary = await (try Development(of: catalog, options: options)).run()
    if summary.progress.failed > 0 || summary.stop != nil { end(1, "not all photos were made") }
} catch {
    end(3, "\(error)")
}
