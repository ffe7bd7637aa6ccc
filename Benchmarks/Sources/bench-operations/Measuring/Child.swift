import Dispatch
import Foundation

/// A measurement in a process of its own, so that neither heap nor threads come from the measurement before.
struct Child: Codable {
    let shape: Int
    let size: Int
    let isQuick: Bool
    /// The peer that is measured alone, cold; nil for all of them, warm.
    let peer: String?

    static let flag = "--child"
    /// A measurement that takes longer than this hangs.
    private static let timeLimit = 180

    /// Carries out the measurement, in the child.
    func measure() -> [String: [Double]] {
        let shape = shapes[shape]
        let contenders = peers.filter { peer == nil || $0.name == peer }.compactMap { peer in
            shape.absence(of: peer, size: size) == nil
                ? shape.round(of: peer, size: size).map { (name: peer.name, round: $0) } : nil
        }
        if peer == nil { return Schedule(isQuick: isQuick).run(contenders) }
        return Dictionary(uniqueKeysWithValues: contenders.map { ($0.name, [$0.round()]) })
    }

    /// Has the measurement carried out by a child. Empty if it failed, of which the child will have said something.
    func run() throws -> [String: [Double]] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.flag, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
        process.standardOutput = pipe
        try process.run()
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.timeLimit), execute: watchdog)
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        watchdog.cancel()
        guard process.terminationStatus == 0 else { return [:] }
        return try JSONDecoder().decode([String: [Double]].self, from: output)
    }
}
