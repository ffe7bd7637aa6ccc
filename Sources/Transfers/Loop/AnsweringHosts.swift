/// Some hosts that have answered, which say whether the network is there when all is silent.
struct AnsweringHosts {
    /// Where a host is.
    struct Place: Equatable, Sendable {
        var host: String
        var address: IPAddress
        var port: UInt16
    }

    /// How many are remembered.
    static let count = 3
    /// After so long one is replaced.
    static let lifetime = Duration.seconds(60)
    /// After so long without an answer all is silent. Together with the time of a question that is less than most transfers have for
    /// connecting.
    static let silence = Duration.seconds(2)
    /// The time between two questions.
    static let interval = Duration.seconds(10)
    /// How many questions there are without an answer to a transfer between them: at the end of a catalog only hosts may be left that
    /// are gone.
    static let questions = 3

    /// Those that were remembered last, of different names and at different addresses.
    private(set) var places: [Place] = []
    private var lastAnswer: SteadyTime?
    private var lastPlace: SteadyTime?
    private var lastQuestion: SteadyTime?
    private var questionsLeft = Self.questions

    /// A host has answered.
    mutating func answered(at now: SteadyTime) {
        lastAnswer = now
        renewQuestions()
    }

    /// As many questions may be asked as if one had answered.
    mutating func renewQuestions() { questionsLeft = Self.questions }

    /// Whether another one is worth to be remembered.
    func wantsPlace(at now: SteadyTime) -> Bool {
        guard places.count == Self.count, let lastPlace else { return true }
        return lastPlace.duration(to: now) >= Self.lifetime
    }

    /// Remembers where a host is that has answered.
    mutating func remember(_ place: Place, at now: SteadyTime) {
        // A server of many names is one.
        places.removeAll { $0.host == place.host || $0.address == place.address }
        if places.count == Self.count { places.removeFirst() }
        places.append(place)
        lastPlace = now
    }

    /// Whether they are to be asked now whether they are there. One alone may be gone itself.
    ///
    /// - Parameter last: When anything was heard last.
    mutating func takeQuestion(since last: SteadyTime, at now: SteadyTime) -> Bool {
        guard places.count > 1, questionsLeft > 0, let lastAnswer,
            max(last, lastAnswer).duration(to: now) >= Self.silence,
            lastQuestion.map({ $0.duration(to: now) >= Self.interval }) ?? true
        else { return false }
        questionsLeft -= 1
        lastQuestion = now
        return true
    }
}
