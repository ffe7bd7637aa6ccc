import PhotoPipeline
import Testing

@testable import PhotoBrowser

/// What the figures of the strategies say, and what they do not.
@Suite struct StrategyComparisonTests {
    private static func figures(
        stall: Double = 10, wait: Double? = 200, isWaitOver: Bool = false, received: Int = 1_000, neverShown: Int = 0
    ) -> StrategyFigures {
        var figures = StrategyFigures()
        figures.longestStall = stall
        figures.wait = wait
        figures.isWaitOver = isWaitOver
        figures.received = received
        figures.neverShown = neverShown
        figures.longestLine = 8
        figures.threads = 2
        return figures
    }

    private static func findings(
        blocking: StrategyFigures = figures(), eager: StrategyFigures = figures(), visible: StrategyFigures = figures()
    ) -> Set<StrategyComparison.Finding>? {
        var comparison = StrategyComparison()
        comparison.figures = [.blocking: blocking, .eager: eager, .visible: visible]
        return comparison.findings
    }

    @Test func nothingFollowsBeforeAllHaveRun() {
        var comparison = StrategyComparison()
        #expect(comparison.findings == nil)
        #expect(!comparison.hasPhotos)
        comparison.figures = [.blocking: Self.figures(), .eager: Self.figures()]
        #expect(comparison.findings == nil)
        #expect(comparison.hasPhotos)
        comparison.figures = [.blocking: StrategyFigures(), .eager: StrategyFigures(), .visible: StrategyFigures()]
        #expect(!comparison.hasPhotos, "no photo could be had")
    }

    @Test func saysOnlyWhatTheFiguresShow() {
        #expect(Self.findings() == [])
        #expect(Self.findings(blocking: Self.figures(stall: 900)) == [.stalls])
        #expect(Self.findings(blocking: Self.figures(stall: 40)) == [], "nobody notices 40 ms")
        #expect(
            Self.findings(blocking: Self.figures(stall: 900), visible: Self.figures(stall: 800)) == [],
            "a machine that is slow by itself")
        #expect(Self.findings(eager: Self.figures(neverShown: 400)) == [.waste])
        #expect(Self.findings(eager: Self.figures(neverShown: 90)) == [], "less than a tenth")
        #expect(Self.findings(eager: Self.figures(neverShown: 400), visible: Self.figures(neverShown: 250)) == [])
        #expect(Self.findings(eager: Self.figures(wait: 900)) == [.line])
        #expect(Self.findings(eager: Self.figures(wait: 290)) == [], "less than 100 ms longer")
        #expect(
            Self.findings(blocking: Self.figures(stall: 900), eager: Self.figures(wait: 900, neverShown: 400))
                == [.stalls, .waste, .line])
    }

    @Test func figuresKeepTheWorstAndAddWhatIsAhead() {
        var traffic = PhotoList.Traffic()
        traffic.add(500, of: Photo.ID(1), isPrefetch: false, isSeen: true)
        traffic.add(300, of: Photo.ID(2), isPrefetch: false, isSeen: false)
        traffic.add(70, of: Photo.ID(3), isPrefetch: true, isSeen: false)
        traffic.line(of: 12)
        traffic.line(of: 3)
        var figures = StrategyFigures()
        figures.take(ScrollMeasurement(), traffic)
        #expect(figures.received == 870)
        #expect(figures.neverShown == 370)
        #expect(figures.longestLine == 12)
        #expect(figures.wait == nil)
    }
}
