import Operations
import OperationsCore

/// A product whose life is counted.
final class Text: Sendable {
    let text: String
    private let living: Lock<Int>

    init(_ text: String, in living: Lock<Int>) {
        self.text = text
        self.living = living
        living.withLock { $0 += 1 }
    }

    deinit { living.withLock { $0 -= 1 } }

    static func living(of texts: TextTables) -> Int { texts.living.withLock { $0 } }
}

/// Shared work in chains: texts are read, numbers are added to them, and letters to those.
final class TextTables: Sendable {
    struct Numbered: Hashable {
        let name: String
        let number: Int
    }

    struct Lettered: Hashable {
        let numbered: Numbered
        let letter: Character
    }

    /// What is read where that fails, and made from it.
    static let nothing = "nothing"

    let queue: OperationQueue
    let living = Lock(0)
    let ran = Counter()
    /// How many of the texts that are read next are to fail.
    let failures = Lock(0)
    /// How many products belonged to nobody else when they were taken.
    let takenAlone = Counter()
    private let group: SharedGroup
    private let read: Shared<String, Text>
    private let numbered: Shared<Numbered, Text>
    private let lettered: Shared<Lettered, Text>

    init(queue: OperationQueue) {
        self.queue = queue
        group = SharedGroup()
        read = Shared(in: group)
        numbered = Shared(in: group)
        lettered = Shared(in: group)
    }

    /// How much work is there to be joined.
    var count: Int { read.count + numbered.count + lettered.count }

    func hold(
        _ name: String, _ number: Int, _ priority: Operation.QueuePriority = .normal, observer: TextObserver? = nil
    ) -> SharedHold<Text>? {
        group.hold(priority: priority, observer: observer) { numbered(Numbered(name: name, number: number), &$0) }
    }

    /// A chain of three, or of two without the letter.
    func hold(
        _ name: String, _ number: Int, letter: Character?, _ priority: Operation.QueuePriority
    ) -> SharedHold<Text>? {
        guard let letter else { return hold(name, number, priority) }
        let key = Lettered(numbered: Numbered(name: name, number: number), letter: letter)
        return group.hold(priority: priority) { access in
            if let work = lettered.work(for: key, &access) { return work }
            let upstream = numbered(key.numbered, &access)
            return lettered.add(key, after: upstream, &access) { work in
                [(operation { self.make(from: upstream, work, String(letter)) }, queue)]
            }
        }
    }

    private func numbered(_ key: Numbered, _ access: inout SharedAccess) -> SharedWork<Text> {
        if let work = numbered.work(for: key, &access) { return work }
        let text =
            read.work(for: key.name, &access)
            ?? read.add(key.name, &access) { work in
                let reading = operation {
                    work.tell("reading")
                    let fails = self.failures.withLock { left in
                        defer { left = max(0, left - 1) }
                        return left > 0
                    }
                    let text = fails ? Self.nothing : key.name
                    work.finish(with: Text(text, in: self.living), telling: "read \(text)", failed: fails)
                }
                return [(reading, queue)]
            }
        return numbered.add(key, after: text, &access) { work in
            // Two operations, as of work that first waits for something.
            let second = operation { self.make(from: text, work, "\(key.number)") }
            return [(BlockOperation {}, queue), (second, queue)]
        }
    }

    private func make(from upstream: SharedWork<Text>, _ work: SharedWork<Text>, _ suffix: String) {
        guard var text = upstream.take(for: work) else { return }
        if isKnownUniquelyReferenced(&text) { takenAlone.increase() }
        let fails = text.text == Self.nothing
        let made = Text(fails ? Self.nothing : text.text + suffix, in: living)
        work.finish(with: made, telling: "made \(made.text)", failed: fails)
    }

    private func operation(_ body: @escaping @Sendable () -> Void) -> Operation {
        BlockOperation { [ran] in
            ran.increase()
            body()
        }
    }
}

/// Notes what it is told, and passes it on.
final class TextObserver: SharedWorkObserver {
    private let noted = Lock<[String]>([])
    private let passedOn = Lock<[String]>([])

    /// What was noted.
    var all: [String] { noted.withLock { $0 } }

    func note(_ event: any Sendable, isLast: Bool) {
        guard let event = event as? String else { return }
        noted.withLock { $0.append(isLast ? "last: \(event)" : event) }
    }

    func deliver() {
        let all = all
        passedOn.withLock { $0 = all }
    }
}
