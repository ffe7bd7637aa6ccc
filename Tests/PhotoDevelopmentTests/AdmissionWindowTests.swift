import Testing

@testable import PhotoDevelopment

@Suite struct AdmissionWindowTests {
    @Test("Entries go in, in order, so many at a time")
    func order() {
        var window = AdmissionWindow(count: 5, width: 2)
        expectAdmitted([0, 1, nil], &window)
        window.leave()
        expectAdmitted([2, nil], &window)
        window.leave()
        window.leave()
        expectAdmitted([3, 4, nil], &window)
        #expect(!window.isOver)
        window.leave()
        window.leave()
        #expect(window.isOver)
        expectAdmitted([nil], &window)
    }

    @Test("After a stop nobody goes in, and it is over when those inside have left")
    func stop() {
        var window = AdmissionWindow(count: 5, width: 2)
        _ = window.admit()
        window.stop()
        expectAdmitted([nil], &window)
        #expect(!window.isOver)
        window.leave()
        #expect(window.isOver)
        #expect(window.next == 1)
    }

    @Test("An empty catalog is over at once")
    func empty() {
        #expect(AdmissionWindow(count: 0, width: 2).isOver)
    }

    @Test("Entries that wait take no place, and it is not over without them")
    func parked() {
        var window = AdmissionWindow(count: 4, width: 1)
        expectAdmitted([0, nil], &window)
        window.park()
        expectAdmitted([1], &window)
        window.park()
        expectAdmitted([2, nil], &window)
        window.unpark()
        expectAdmitted([nil], &window)
        window.leave()
        window.leave()
        expectAdmitted([3], &window)
        window.leave()
        #expect(!window.isOver)
        window.unpark()
        window.leave()
        #expect(window.isOver)
    }

    private func expectAdmitted(_ expected: [Int?], _ window: inout AdmissionWindow) {
        for entry in expected {
            let admitted = window.admit()
            #expect(admitted == entry)
        }
    }
}
