/// How many rounds a peer gets, and which.
///
/// All peers take turns, so that a slow minute of the machine falls on all of them, and who begins moves on with each
/// round. A peer that is slow gets fewer rounds, spread evenly over those of the others.
struct Schedule {
    let isQuick: Bool

    /// The most rounds of a peer, which quick ones get.
    var rounds: Int { isQuick ? 3 : 31 }
    /// The fewest, whatever they take.
    var fewestRounds: Int { isQuick ? 1 : 3 }
    /// The seconds that a peer may take at one size before it gets fewer rounds.
    private var budget: Double { isQuick ? 0.05 : 0.5 }

    /// The number of rounds for a peer whose first took so long.
    func rounds(ofSeconds seconds: Double) -> Int {
        min(rounds, max(fewestRounds, Int(budget / max(seconds, 1e-9))))
    }

    /// Whether a peer with so many rounds takes part in this one.
    func takesPart(in round: Int, of own: Int) -> Bool {
        (round + 1) * own / rounds > round * own / rounds
    }

    /// The median of each peer's rounds comes from these, by name; the first round of each warms up and is left out.
    func run(_ contenders: [(name: String, round: () -> Double)]) -> [String: [Double]] {
        let plan = contenders.map { contender in
            rounds(ofSeconds: timed { _ = contender.round() } / .seconds(1))
        }
        var values: [String: [Double]] = [:]
        for round in 0..<rounds {
            for turn in contenders.indices {
                let index = (turn + round) % contenders.count
                guard takesPart(in: round, of: plan[index]) else { continue }
                let contender = contenders[index]
                values[contender.name, default: []].append(contender.round())
            }
        }
        return values
    }
}
