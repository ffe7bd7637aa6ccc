// Uses the app as nobody's hands can, for tests and measurements; Scripts/soak and Scripts/bench scroll call it.

import Glibc
import PhotoApp
import PhotoBrowser

App.begin()
switch DriverArguments.parse(Array(CommandLine.arguments.dropFirst())) {
case .wrong(let reason):
    end(2, reason + "\n" + DriverArguments.usage)
case .scroll(let source, let strategy):
    var benchmark: ScrollBenchmark?
    run(
        App(opening: .one(source), isUnique: false, keepsImages: false) { window in
            benchmark = ScrollBenchmark(window, strategy: strategy)
            benchmark?.start()
        })
case .soak(let options):
    do {
        try SoakImages.write(to: options.folder + "/photos")
    } catch {
        end(1, "\(error)")
    }
    var soak: Soak?
    run(
        App(opening: nil, isUnique: false) { window in
            soak = Soak(window, options)
            soak?.start()
        })
}

func run(_ app: App) -> Never {
    guard let status = app.run() else { end(1, "there is no display to show windows on (DISPLAY or WAYLAND_DISPLAY)") }
    exit(status)
}

func end(_ status: Int32, _ text: String) -> Never {
    let line = Array("app-drivers: \(text)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(status)
}
