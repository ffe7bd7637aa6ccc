import OperationsTesting
import Testing

/// The schedule in webs of random hosts, on a clock of their own.
@Suite struct ScheduleSimulationTests {
    /// No host is above its width or its rate, or asked while it wants to be left alone; who could start does, so that nobody
    /// waits for somebody else's host; everything ends.
    @Test(arguments: 0..<8)
    func randomWebs(part: UInt64) {
        for number in 0..<1_250 {
            let seed = part * 1_250 + UInt64(number)
            var web = SimulatedWeb(seed: seed)
            web.run()
            #expect(web.faults.isEmpty, "seed \(seed)")
        }
    }
}
