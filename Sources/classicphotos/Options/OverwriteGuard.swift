import PhotoDevelopment
import Wording

/// Keeps commands that read a file and write one from replacing the first by the second unasked.
enum OverwriteGuard {
    static func add(to parser: inout OptionParser) {
        parser.flag("force", "Let OUT be the file IN itself, which is replaced")
    }

    /// - Throws: That both are one file, also through links and in another spelling, where `--force` is not given; that OUT is what a run
    ///   remembers, in any case.
    static func check(_ values: OptionValues, input: String, output: String) throws(UsageError) {
        if RunFiles.areInJournalFolder(output) {
            throw UsageError("\(output.printable) is where a run keeps what it remembers; name another file")
        }
        guard !values.has("force"), output != "-" else { return }
        let read = input == "-" ? FileIdentity(descriptor: 0) : FileIdentity(path: input)
        guard let read, read == FileIdentity(path: output) else { return }
        throw UsageError("\(output.printable) is the file that is read; --force replaces it")
    }
}
