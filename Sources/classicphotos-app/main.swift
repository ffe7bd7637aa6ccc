import Glibc
import PhotoApp
import PhotoPipeline

// Synchronous, so that the main actor is the thread that draws.
App.begin()
switch AppArguments.parse(Array(CommandLine.arguments.dropFirst())) {
case .help:
    print(AppArguments.helpText, terminator: "")
case .version:
    print("classicphotos-app \(PhotoPipeline.version)")
case .wrong(let reason):
    complain("\(reason)\nTry: classicphotos-app --help")
    exit(2)
case .open(let request):
    guard let status = App(opening: request).run() else {
        complain("there is no display to show windows on (DISPLAY or WAYLAND_DISPLAY)")
        exit(1)
    }
    ProcessEnd.exit(status)
}

func complain(_ text: String) {
    let line = Array("classicphotos-app: \(text)\n".utf8)
    write(STDERR_FILENO, line, line.count)
}
