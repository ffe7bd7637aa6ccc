import Testing

@testable import PhotoDevelopment

@Suite struct AdmissionWindowTests {
    @Test("Entries go in, in order, as many as are wanted")
    func order() {
        var window = AdmissionWindow(count: 4, mostSetAside: 9)
        expectAdmitted([nil], &window)
        window.want(2)
        expectAdmitted([0], &window)
        // One that comes to its end at once is not what was wanted.
        window.leave()
        expectAdmitted([1], &window)
        window.putAside()
        expectAdmitted([2], &window)
        window.putAside()
        expectAdmitted([nil], &window)
        #expect(window.setAside == 2 && window.inside == 0 && !window.isOver)
        window.want(5)
        expectAdmitted([3, nil], &window)
        window.leave()
        for _ in 0..<2 {
            window.takeBack()
            #expect(!window.isOver)
            window.leave()
        }
        #expect(window.isOver)
    }

    @Test("What is set aside is bounded, and goes on when there is room")
    func bound() {
        var window = AdmissionWindow(count: 9, mostSetAside: 2)
        window.want(100)
        for entry in 0..<2 {
            expectAdmitted([entry], &window)
            window.putAside()
        }
        expectAdmitted([nil], &window)
        window.takeBack()
        expectAdmitted([2], &window)
    }

    @Test("With enough set aside, others go in as long as they can be kept back")
    func keptBack() {
        var window = AdmissionWindow(count: 4, mostSetAside: 1)
        window.want(2)
        #expect(window.admit(hasRoom: true) == 0)
        #expect(!window.mayKeepBack)
        window.putAside()
        #expect(window.mayKeepBack)
        expectAdmitted([nil], &window)
        #expect(window.admit(hasRoom: true) == 1)
        window.keepBack()
        // It was not what was wanted.
        #expect(window.admit(hasRoom: true) == 2)
        window.keepBack()
        #expect(window.keptBack == 2)
        window.takeBack()
        window.takeUp()
        #expect(window.keptBack == 1 && window.setAside == 1 && window.inside == 1)
        window.leave()
        window.stop()
        #expect(!window.mayKeepBack && !window.isOver)
        window.takeBack()
        window.leave()
        // The other one is nobody's any more.
        #expect(window.isOver)
    }

    @Test("After a stop nobody goes in, and it is over when those inside have left")
    func stop() {
        var window = AdmissionWindow(count: 5, mostSetAside: 9)
        window.want(5)
        _ = window.admit()
        window.putAside()
        _ = window.admit()
        window.stop()
        expectAdmitted([nil], &window)
        window.leave()
        #expect(!window.isOver)
        window.takeBack()
        window.leave()
        #expect(window.isOver)
        #expect(window.next == 2)
    }

    @Test("An empty catalog is over at once")
    func empty() {
        #expect(AdmissionWindow(count: 0, mostSetAside: 2).isOver)
    }

    @Test("It is not over without those that wait for another one")
    func parked() {
        var window = AdmissionWindow(count: 2, mostSetAside: 1)
        window.want(1)
        expectAdmitted([0], &window)
        window.park()
        expectAdmitted([1], &window)
        window.leave()
        #expect(!window.isOver)
        window.unpark()
        window.leave()
        #expect(window.isOver)
    }

    @Test("The journal is waited for when nobody else would join those that wait for it")
    func journal() {
        var window = AdmissionWindow(count: 3, mostSetAside: 2)
        window.want(9)
        _ = window.admit()
        window.beginEnding()
        #expect(!window.waitsForJournal)
        expectAdmitted([1, 2, nil], &window)
        window.park()
        window.putAside()
        #expect(!window.waitsForJournal)
        window.stop()
        window.takeBack()
        #expect(!window.waitsForJournal)
        window.leave()
        // The one that is parked waits for somebody who waits for the journal.
        #expect(window.waitsForJournal)
        window.endEnding()
        #expect(!window.waitsForJournal)
        window.unpark()
        window.leave()
        #expect(window.isOver)
    }

    @Test("Only what is set aside is left when all are in and nobody is at work")
    func onlySetAside() {
        var window = AdmissionWindow(count: 2, mostSetAside: 2)
        window.want(9)
        _ = window.admit()
        window.putAside()
        #expect(!window.onlyHasSetAside)
        _ = window.admit()
        #expect(!window.onlyHasSetAside)
        window.park()
        #expect(window.onlyHasSetAside)
        window.takeBack()
        #expect(!window.onlyHasSetAside)
        window.putAsideAgain()
        #expect(window.onlyHasSetAside)
        window.stop()
        #expect(!window.onlyHasSetAside)
    }

    private func expectAdmitted(_ expected: [Int?], _ window: inout AdmissionWindow) {
        for entry in expected {
            let admitted = window.admit()
            #expect(admitted == entry)
        }
    }
}
