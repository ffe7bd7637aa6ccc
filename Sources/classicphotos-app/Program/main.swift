import CGLib
import CGtk
import Glibc
import PhotoBrowser
import PhotoPipeline

// Synchronous, so that the main actor is the thread that draws.
signal(SIGPIPE, SIG_IGN)
// What a window of up to a million pixels is drawn into is made for each frame, and should not come from the system each
// time.
cglib_set_malloc_options(4 * 1_024 * 1_024, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
Translation.begin()
switch AppArguments.parse(Array(CommandLine.arguments.dropFirst())) {
case .help:
    print(AppArguments.helpText, terminator: "")
    exit(0)
case .version:
    print("classicphotos-app \(PhotoPipeline.version)")
    exit(0)
case .wrong(let reason):
    complain("\(reason)\nTry: classicphotos-app --help")
    exit(2)
case .open(let request):
    exit(run(opening: request))
case .scroll(let source, let strategy):
    exit(run(opening: .one(source), measuring: strategy))
case .soak(let options):
    do {
        try SoakPictures.write(to: options.folder + "/photos")
    } catch {
        complain("\(error)")
        exit(1)
    }
    exit(run(opening: nil, soaking: options))
}

func run(opening request: OpenRequest?, measuring strategy: LoadingStrategy? = nil, soaking: Soak.Options? = nil)
    -> Int32
{
    guard gtk_init_check() != 0 else {
        complain("there is no display to show windows on (DISPLAY or WAYLAND_DISPLAY)")
        return 1
    }
    return App(opening: request, measuring: strategy, soaking: soaking).run()
}

func complain(_ text: String) {
    let line = Array("classicphotos-app: \(text)\n".utf8)
    write(STDERR_FILENO, line, line.count)
}
