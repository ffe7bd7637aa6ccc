import Foundation
import Glibc
import ImageCodecs
import PhotoPipeline
import Testing

@testable import PhotoDevelopment

@Suite struct OutputFolderTests {
    private func inTemporaryFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("A folder is made with those above it, and nothing is left in it")
    func made() throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base + "/a/b//c/")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("A file in the folder's place is an error that names it")
    func fileInPlace() throws {
        try inTemporaryFolder { base in
            try Data().write(to: URL(filePath: base + "/file"))
            for path in [base + "/file", base + "/file/below"] {
                #expect { try OutputFolder(preparing: path) } throws: { "\($0)".contains(path) }
            }
            #expect { try OutputFolder(preparing: "/proc/none") } throws: { $0 is DevelopmentError }
        }
    }

    @Test("Who replaces a private file leaves a private one")
    func permissions() throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base)
            for mode in [0o600, 0o640, 0o664] {
                try folder.write(Data("one".utf8), as: "a.txt")
                #expect(chmod(base + "/a.txt", mode_t(mode)) == 0)
                try folder.write(Data("two".utf8), as: "a.txt")
                let attributes = try FileManager.default.attributesOfItem(atPath: base + "/a.txt")
                #expect(attributes[.posixPermissions] as? NSNumber == NSNumber(value: mode))
            }
        }
    }

    @Test("A link whose target is not there is an error that says so")
    func linkToNowhere() throws {
        try inTemporaryFolder { base in
            try FileManager.default.createSymbolicLink(
                atPath: base + "/link", withDestinationPath: base + "/gone")
            for path in [base + "/link", base + "/link/", base + "/link/below"] {
                #expect { try OutputFolder(preparing: path) } throws: { "\($0)".contains("leads nowhere") }
            }
        }
    }

    @Test("A file is there whole or not at all, and replaces one that was there")
    func write() throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base)
            try folder.write(Data("one".utf8), as: "a.txt")
            try folder.write(Data("two".utf8), as: "a.txt")
            #expect(try String(contentsOfFile: base + "/a.txt", encoding: .utf8) == "two")
            #expect(!folder.contains("a.txt", .png))
            try folder.write(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), as: "a.txt")
            #expect(folder.contains("a.txt", .png))
            #expect(!folder.contains("a.txt", .jpeg))
            #expect(!folder.contains("b.txt", .png))
            #expect(throws: FileError.self) { try folder.write(Data(), as: "no/such/folder") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: base) == ["a.txt"])
        }
    }

    /// A link to itself stands in for a folder that cannot be searched and for a disk that fails, which root never sees.
    @Test("What cannot be seen is neither there nor missing, and stays where what comes after it fails")
    func unknown() throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base)
            try folder.write(Data("one".utf8), as: "a")
            try folder.write(Data(), as: "empty")
            try FileManager.default.createSymbolicLink(atPath: base + "/loop", withDestinationPath: "loop")
            let long = String(repeating: "x", count: 300)
            #expect(try folder.hasBytes("a"))
            for name in ["empty", "gone", "gone/below", "a/below"] { #expect(try !folder.hasBytes(name), "\(name)") }
            for (name, code) in [("loop", ELOOP), ("loop/below", ELOOP), (long, ENAMETOOLONG)] {
                #expect { try folder.hasBytes(name) } throws: { ($0 as? FileError)?.code == code }
                #expect(throws: FileError.self) { try folder.haveBytes(["a", name]) }
            }
            #expect(throws: FileError.self) {
                try folder.eachOrNone(of: ["loop", "new", "last"]) { (place, name) throws(FileError) in
                    if place == 1 { try folder.write(Data("new".utf8), as: name) }
                    if place == 2 { throw FileError(code: ENOSPC) }
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: base).sorted() == ["a", "empty", "loop"])
        }
    }

    @Test("What is written in a format is known as that format", arguments: ImageEncoder.Format.allCases)
    func known(format: ImageEncoder.Format) throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base)
            let image = PixelBuffer(uninitialized: PixelSize(width: 4, height: 4), isOpaque: true) { bytes in
                for index in bytes.indices { bytes[index] = 255 }
            }
            try folder.write(try ImageEncoder(format: format).encode(image), as: "a")
            for other in ImageEncoder.Format.allCases { #expect(folder.contains("a", other) == (other == format)) }
        }
    }

    @Test("What a killed run left is cleared; what another run is writing, and strangers' files, stay")
    func clearing() throws {
        try inTemporaryFolder { base in
            try Data("half".utf8).write(to: URL(filePath: base + "/.classicphotos-killed.part"))
            try Data("mine".utf8).write(to: URL(filePath: base + "/.other.part"))
            let living = try TemporaryFile(in: base)
            try living.write(Data("half".utf8))
            _ = try OutputFolder(preparing: base)
            let names = try FileManager.default.contentsOfDirectory(atPath: base)
            #expect(names.count == 2)
            #expect(names.contains(".other.part"))
            try living.commit(to: base + "/whole")
            #expect(try String(contentsOfFile: base + "/whole", encoding: .utf8) == "half")
        }
    }

    @Test("A file that is written through a link is the one behind it, and the link stays")
    func link() throws {
        try inTemporaryFolder { base in
            try FileManager.default.createDirectory(atPath: base + "/there", withIntermediateDirectories: true)
            try Data("old".utf8).write(to: URL(filePath: base + "/there/report.csv"))
            try FileManager.default.createSymbolicLink(
                atPath: base + "/link.csv", withDestinationPath: "there/report.csv")
            let file = try TemporaryFile(beside: base + "/link.csv")
            try file.write(Data("new".utf8))
            try file.commit()
            #expect(try String(contentsOfFile: base + "/there/report.csv", encoding: .utf8) == "new")
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: base + "/link.csv")
            #expect(link == "there/report.csv")
        }
    }

    @Test("A second name for a file, by a link or a copy, again and again, leaves nothing else")
    func secondName() throws {
        try inTemporaryFolder { base in
            let folder = try OutputFolder(preparing: base)
            try folder.write(Data("one".utf8), as: "a")
            for _ in 0..<2 {
                try folder.link("a", as: "b")
                try folder.copy("a", as: "c")
            }
            #expect(FileIdentity(path: base + "/a") == FileIdentity(path: base + "/b"))
            #expect(FileIdentity(path: base + "/a") != FileIdentity(path: base + "/c"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: base).sorted() == ["a", "b", "c"])
            #expect(try String(contentsOfFile: base + "/c", encoding: .utf8) == "one")
            // What replaces the one leaves the other as it was.
            try folder.write(Data("two".utf8), as: "a")
            #expect(try String(contentsOfFile: base + "/b", encoding: .utf8) == "one")
            #expect { try folder.link("gone", as: "b") } throws: { ($0 as? FileError)?.code == ENOENT }
        }
    }
}
