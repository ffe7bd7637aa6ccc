import FoundationEssentials
import PhotoPipeline

extension OpenRequest {
    /// What asks another process for the same, whatever its current directory; standard input is `-`.
    public var arguments: [String] {
        switch self {
        case .one(.path(let path)): [Self.absolute(path)]
        case .one(.address(let address)): [address.absoluteString]
        case .one(.standardInput), .passed: ["-"]
        case .several(let paths): paths.map(Self.absolute)
        }
    }

    /// Whether it is there only once, so that it cannot be opened again.
    public var isReadOnce: Bool {
        switch self {
        case .one(.standardInput), .passed: true
        case .one, .several: false
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
