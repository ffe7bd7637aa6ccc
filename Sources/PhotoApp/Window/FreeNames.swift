import CGtk
import PhotoDevelopment

/// Names for new files of a folder, which no other file has: nothing is replaced that nobody was asked about.
///
/// No two of them differ in their case alone: on a stick that cameras read they would be one file.
struct FreeNames {
    private let folder: String
    /// The names that were given, folded.
    private var given: Set<String> = []
    /// The number that a folded name goes on with; from 2 each time, many photos of one name would take the square of their count.
    private var numbers: [String: Int] = [:]

    init(in folder: String) {
        self.folder = folder
    }

    /// The path of a file that has a name, or that name with a number; it is given only once.
    mutating func path(for name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let folded = FoldedName.of(name)
        var number = numbers[folded, default: 1]
        while true {
            let free = number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])"
            let path = folder + "/" + free
            number += 1
            guard given.insert(FoldedName.of(free)).inserted, !PromisedFiles.contains(path),
                g_file_test(path, G_FILE_TEST_EXISTS) == 0
            else { continue }
            numbers[folded] = number
            return path
        }
    }
}
