import CGtk

/// Names for new files of a folder, which no other file has: nothing is replaced that nobody was asked about.
struct FreeNames {
    private let folder: String
    private var given: Set<String> = []
    /// The number that a name goes on with; from 2 each time, many photos of one name would take the square of their count.
    private var numbers: [String: Int] = [:]

    init(in folder: String) {
        self.folder = folder
    }

    /// The path of a file that has a name, or that name with a number; it is given only once.
    mutating func path(for name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var number = numbers[name, default: 1]
        var path = ""
        repeat {
            path = folder + "/" + (number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])")
            number += 1
        } while given.contains(path) || PromisedFiles.contains(path) || g_file_test(path, G_FILE_TEST_EXISTS) != 0
        numbers[name] = number
        given.insert(path)
        return path
    }
}
