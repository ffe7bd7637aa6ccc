import Testing

@testable import Transfers

@Suite struct ResponseIntakeTests {
    private func intake(_ head: ResponseIntake.Head, bytes: Int = 1_000) -> (ResponseIntake, Bool) {
        var intake = ResponseIntake(limits: TransferLimits(maxBytes: bytes, maxHeaderBytes: 100))
        let goesOn = intake.end(of: head)
        return (intake, goesOn)
    }

    private func head(
        _ status: Int, length: Int? = nil, isEncoded: Bool = false, location: String? = nil
    ) -> ResponseIntake.Head {
        ResponseIntake.Head(
            status: status, contentLength: length, isEncoded: isEncoded,
            location: location.map { Array($0.utf8) })
    }

    @Test func interimHeadsDecideNothing() {
        #expect(intake(head(103)).0.verdict == nil)
    }

    @Test func anotherProtocolIsTheEnd() {
        let (intake, goesOn) = intake(head(101))
        #expect(!goesOn)
        let isRefused = if case .failure(.protocolViolation) = intake.verdict { true } else { false }
        #expect(isRefused)
    }

    @Test func anAnnouncedLengthIsJudgedAtOnce() {
        #expect(intake(head(200, length: 1_001)).0.verdict == .failure(.tooLarge(limit: 1_000)))
        #expect(intake(head(200, length: 1_001)).1 == false)
        #expect(intake(head(200, length: 1_000)).0.expected == 1_000)
        // What it is compressed to says nothing.
        #expect(intake(head(200, length: 1_001, isEncoded: true)).0.verdict == .body)
        #expect(intake(head(200, length: 10, isEncoded: true)).0.expected == nil)
    }

    @Test func theHeadHasALimit() {
        var intake = ResponseIntake(limits: TransferLimits(maxHeaderBytes: 100))
        let fits = [intake.header(count: 100), intake.header(count: 1)]
        #expect(fits == [true, false])
        #expect(intake.verdict != nil)
    }

    @Test func soHasTheNumberOfItsLines() {
        var intake = ResponseIntake(limits: TransferLimits())
        let fits = (0...1_000).map { _ in intake.header(count: 2) }
        #expect(fits == Array(repeating: true, count: 1_000) + [false])
        #expect(intake.verdict == .failure(.protocolViolation("the head has more than 1000 lines")))
    }

    @Test func roomIsAskedForBeforeBytesAreStored() {
        var (intake, _) = intake(head(200, length: 100))
        var asked: [Int] = []
        var mayReceive = false
        func piece(_ count: Int) -> ResponseIntake.PieceAction {
            intake.piece(count: count) { bytes in
                asked.append(bytes)
                return mayReceive
            }
        }
        let refused = piece(10)
        #expect(refused == .pause && intake.received == 0)
        mayReceive = true
        let first = piece(10)
        mayReceive = false
        let second = piece(90)
        #expect(first == .store && second == .store)
        #expect(asked == [100, 100])
        // More than announced has to be asked for again.
        let excess = piece(1)
        #expect(excess == .pause)
        #expect(asked == [100, 100, 101])
    }

    @Test func bodiesOfFailuresAreReadToKeepTheConnectionAndNoFurther() {
        var (intake, goesOn) = intake(head(404, length: 10))
        #expect(goesOn)
        let short = intake.piece(count: 10) { _ in false }
        #expect(short == .discard)
        let long = intake.piece(count: ResponseIntake.drainLimit) { _ in false }
        #expect(long == .stop)
        #expect(intake.verdict == .failure(.http(status: 404)))
        #expect(self.intake(head(404, length: 10_000_000)).1 == false)
    }

    @Test func whoDoesNotWantToBeAskedIsNotAskedAgain() {
        var question = head(417, length: 10)
        #expect(intake(question).0.verdict == .failure(.http(status: 417)))
        question.isQuestion = true
        #expect(intake(question).0.verdict == .sendUnasked)
        #expect(intake(question).1 == false)
    }

    @Test func aPartThatNobodyAskedForIsTakenWhereItIsTheWhole() {
        func part(_ range: String?, length: Int?, isEncoded: Bool = false) -> ResponseIntake {
            var head = head(206, length: length, isEncoded: isEncoded)
            head.contentRange = range
            return intake(head).0
        }
        for length in [100, nil] {
            #expect(part("bytes 0-99/100", length: length).verdict == .body)
            #expect(part("bytes 0-99/100", length: length).expected == 100)
        }
        #expect(part("bytes 0-99/100", length: 100, isEncoded: true).expected == nil)
        #expect(part("bytes 0-1000/1001", length: 1_001).verdict == .failure(.tooLarge(limit: 1_000)))
        let others: [(String?, Int?)] = [
            (nil, 100), ("bytes 0-99/100", 99), ("bytes 0-98/100", 99), ("bytes 1-99/100", 99), ("bytes 0-99/*", 100),
            ("items 0-99/100", 100),
        ]
        for (range, length) in others {
            let refused =
                if case .failure(.protocolViolation) = part(range, length: length).verdict { true } else { false }
            #expect(refused, "\(range ?? "") \(length ?? 0)")
        }
        // Without a length the range says where it ends.
        var whole = part("bytes 0-99/100", length: nil)
        let piece = whole.piece(count: 99) { _ in true }
        #expect(piece == .store && whole.isIncomplete)
        let excess = whole.piece(count: 2) { _ in true }
        #expect(excess == .stop)
        #expect(whole.verdict == .failure(.protocolViolation("the part is longer than its head says")))
    }

    @Test func redirectsNeedALocation() {
        #expect(intake(head(302, location: "/a")).0.verdict == .redirect(Array("/a".utf8)))
        #expect(intake(head(302)).0.verdict == .failure(.http(status: 302)))
        #expect(intake(head(304, location: "/a")).0.verdict == .failure(.http(status: 304)))
    }
}
