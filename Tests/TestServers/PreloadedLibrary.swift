public import Foundation

/// A small library of C that is loaded into a program before its own (`LD_PRELOAD`).
public enum PreloadedLibrary {
    /// Why there is none.
    public struct Failure: Error {
        /// What the compiler ended with.
        public let status: Int32
    }

    /// Compiles a library.
    ///
    /// - Parameters:
    ///   - name: The name of its files, without an ending.
    ///   - source: The text of the only source file.
    ///   - folder: Where both are written.
    /// - Returns: The library.
    public static func make(_ name: String, _ source: String, in folder: URL) throws -> URL {
        let file = folder.appending(path: name + ".c")
        let library = folder.appending(path: name + ".so")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library.path, file.path, "-ldl"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw Failure(status: compiler.terminationStatus) }
        return library
    }

    /// A library that makes the file `cleared-up` in a folder where the process ends by `exit`, which clears up what threads may
    /// still use.
    public static func watchingExit(in folder: URL) throws -> URL {
        try make(
            "watch-exit",
            """
            #include <fcntl.h>
            #include <unistd.h>
            __attribute__((destructor)) static void at_exit(void) {
                close(open("\(folder.appending(path: "cleared-up").path)", O_CREAT | O_WRONLY, 0600));
            }
            """, in: folder)
    }
}
