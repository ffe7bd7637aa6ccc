import PhotoDevelopment
import PhotoPipeline
import Wording

/// `develop --dry-run`: what would be written, and what would fail at once.
enum DryRun {
    static func show(_ arguments: DevelopArguments) async -> ExitStatus {
        guard let catalog = await arguments.loadCatalog() else { return .unreadableCatalog }
        let preview: DevelopmentPreview
        do {
            preview = try DevelopmentPreview(of: catalog, options: arguments.options)
        } catch {
            Console.problem(error)
            return ExitStatus(error)
        }
        if arguments.isVerbose { Console.error(LeftOutText.lines(preview.leftOut, of: arguments.catalog.argument)) }
        let output = arguments.options.output
        var (written, skipped, failed, left) = (0, 0, 0, 0)
        for (number, entry) in preview.enumerated() {
            let line: String
            switch entry.outcome {
            case .written(let files):
                written += 1
                line = "\(entry.address) -> \(files.map { output + "/" + $0 }.joined(separator: ", "))"
            case .skipped(let files):
                skipped += 1
                let names = files.map { output + "/" + $0 }.joined(separator: ", ")
                line = tr(files.count, "\(names) is there already", "\(names) are there already")
            case .left:
                left += 1
                let name = entry.name.isEmpty ? tr("entry \(number + 1)") : entry.name
                line = tr("\(name): left as earlier runs left it")
            case .failed(let error):
                failed += 1
                line = error.told(of: entry.name)
            }
            if !arguments.isQuiet, !Console.output(line.printable + "\n") { break }
        }
        var words = tr("\(written) of \(preview.count) photos would be written to \(output.printable)")
        if failed > 0 { words += tr("; \(failed) would fail") }
        if skipped > 0 { words += tr(skipped, "; \(skipped) is there already", "; \(skipped) are there already") }
        if left > 0 { words += tr("; \(left) would be left as earlier runs left them") }
        let lines = [words] + LeftOutText.counts(preview.leftOut, isNamed: arguments.isVerbose)
        if !arguments.isQuiet { Console.output(lines.joined(separator: "\n") + "\n") }
        return failed + left > 0 ? .someFailed : .success
    }
}
