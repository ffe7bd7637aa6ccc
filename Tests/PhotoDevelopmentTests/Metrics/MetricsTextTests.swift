import PhotoPipeline
import Testing

@testable import PhotoDevelopment

@Suite struct MetricsTextTests {
    @Test func labelsAndHelpAreEscaped() throws {
        var text = MetricsText()
        text.add(
            "classicphotos_x", .gauge, "one\ntwo \\ \"three\"",
            [MetricsText.Sample(labels: [("a", "b\\c\n\"d\""), ("e", "é")], value: 0.5)])
        #expect(
            text.text
                == #"""
                # HELP classicphotos_x one\ntwo \\ "three"
                # TYPE classicphotos_x gauge
                classicphotos_x{a="b\\c\n\"d\"",e="é"} 0.5

                """#)
        let read = try PrometheusText(text.text)
        #expect(read.samples[0].labels == ["a": "b\\c\n\"d\"", "e": "é"])
    }

    @Test func aHistogramCountsUpToItsEnd() throws {
        var histogram = DurationHistogram()
        for time in [Duration.zero, .milliseconds(1), .milliseconds(2), .seconds(3), .seconds(600)] {
            histogram.add(time)
        }
        var text = MetricsText()
        text.add("classicphotos_x_seconds", "Time.", by: "stage", [("a", histogram), ("b", DurationHistogram())])
        let read = try PrometheusText(text.text)
        #expect(read.value("classicphotos_x_seconds_bucket", ["stage": "a", "le": "0.001"]) == 2)
        #expect(read.value("classicphotos_x_seconds_bucket", ["stage": "a", "le": "5"]) == 4)
        #expect(read.value("classicphotos_x_seconds_bucket", ["stage": "a", "le": "+Inf"]) == 5)
        #expect(read.value("classicphotos_x_seconds_sum", ["stage": "a"]) == 603.003)
        #expect(read.value("classicphotos_x_seconds_count", ["stage": "b"]) == 0)
    }

    @Test func theFiguresOfARunAreWellFormedAndBounded() throws {
        var figures = RunFigures(progress: DevelopmentProgress(total: 1_000_000))
        let before = try PrometheusText(figures.text)
        figures.failures = [.timeout: 3, .http: 1]
        figures.progress.damaged = 2
        figures.stages.writtenBytes = 1 << 40
        figures.stages.worked[.decode] = DurationHistogram()
        let after = try PrometheusText(figures.text)
        // Each series is there from the beginning.
        #expect(after.samples.map { "\($0.name) \($0.labels)" }.count == before.samples.count)
        #expect(after.samples.count < 250)
        #expect(after.value("classicphotos_rows_total", ["reason": "timeout"]) == 3)
        #expect(before.value("classicphotos_damaged_rows_total") == 0)
        #expect(after.value("classicphotos_damaged_rows_total") == 2)
        #expect(after.value("classicphotos_written_bytes_total") == 1_099_511_627_776)
        #expect(after.types["classicphotos_rows_total"] == "counter")
    }
}
