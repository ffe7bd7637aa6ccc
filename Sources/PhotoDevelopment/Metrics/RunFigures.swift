import PhotoPipeline
import Transfers

/// What a run is about at one moment, as Prometheus is told of it. A plain value.
///
/// All sets of labels are bounded: outcomes, reasons, classes and stages, and never a host, a name or an address. All names begin
/// with `classicphotos_`, also those that other programs call `process_…`: node_exporter's textfile collector would take such
/// figures for its own.
struct RunFigures {
    var startTime = 0.0
    var isRunning = true
    var progress: DevelopmentProgress
    /// The failures of this run.
    var failures: [PhotoError.Reason: Int] = [:]
    var hosts = TransferActivity()
    var waitingForHost = 0
    var waitingForSameAddress = 0
    var waitingForJournal = 0
    var transferLimit = 0
    var imagesInWork = 0
    var imageLimit = 0
    var memoryInUse = 0
    var memoryLimit = 0
    var process = ProcessUse()
    var stages = StageMeter.Totals()

    var text: String {
        var text = MetricsText()
        text.add(
            "classicphotos_build_info", .gauge, "The version of the program.",
            [MetricsText.Sample(labels: [("version", PhotoPipeline.version)], value: 1)])
        text.add(
            "classicphotos_start_time_seconds", .gauge, "When the run began, in seconds since 1970.", startTime)
        text.add(
            "classicphotos_running", .gauge, "1 while the run goes on, 0 when it has come to its end.",
            isRunning ? 1 : 0)
        addRows(to: &text)
        addWindows(to: &text)
        text.add(
            "classicphotos_received_bytes_total", .counter,
            "Bytes of bodies that were received for rows that have come to their end.", Double(progress.bytes))
        text.add(
            "classicphotos_written_bytes_total", .counter,
            "Bytes of results that were made; further links and copies of them not counted.",
            Double(stages.writtenBytes))
        text.add(
            "classicphotos_stage_duration_seconds",
            "How long stages worked, of each attempt at a photo; write is encoding and handing to the disk.",
            by: "stage", StageMeter.Stage.allCases.map { ($0.rawValue, stages.worked[$0] ?? DurationHistogram()) })
        text.add(
            "classicphotos_stage_wait_seconds",
            "How long photos waited for a stage to begin, for decode also for memory.",
            by: "stage",
            StageMeter.Stage.allCases.filter { $0 != .write }
                .map { ($0.rawValue, stages.waited[$0] ?? DurationHistogram()) })
        text.add(
            "classicphotos_resident_memory_bytes", .gauge,
            "Memory of the process, without that of decode helpers.", Double(process.residentBytes))
        text.add(
            "classicphotos_cpu_seconds_total", .counter,
            "Processor time of the process, without that of decode helpers.", process.processorSeconds)
        return text.text
    }

    private func addRows(to text: inout MetricsText) {
        typealias Sample = MetricsText.Sample
        text.add("classicphotos_catalog_rows", .gauge, "The rows of the catalog.", Double(progress.total))
        func row(_ outcome: String, _ reason: String, _ count: Int) -> Sample {
            Sample(labels: [("outcome", outcome), ("reason", reason)], value: Double(count))
        }
        // Each series is there from the beginning, so that what rises from 0 to 1 is seen, too.
        let failed = PhotoError.Reason.allCases.filter { $0 != .cancelled }
            .map { row("failed", $0.rawValue, failures[$0] ?? 0) }
        text.add(
            "classicphotos_rows_total", .counter, "Rows that this run has brought to their end.",
            [row("filtered", "", progress.filtered), row("skipped", "", progress.skipped)] + failed)
        text.add(
            "classicphotos_damaged_rows_total", .counter,
            "Rows among the filtered ones whose picture is damaged, and that were kept as far as it goes.",
            Double(progress.damaged))
        text.add(
            "classicphotos_earlier_rows", .gauge, "Rows that earlier runs brought to their end, and that are left so.",
            [("filtered", progress.filteredEarlier), ("failed", progress.failedEarlier)].map {
                Sample(labels: [("outcome", $0)], value: Double($1))
            })
        text.add(
            "classicphotos_waiting_rows", .gauge,
            "Rows that wait: for their host or another try, for another row with the same address, for the journal.",
            [
                ("host", waitingForHost), ("same_address", waitingForSameAddress), ("journal", waitingForJournal),
            ].map { Sample(labels: [("wait", $0)], value: Double($1)) })
    }

    private func addWindows(to text: inout MetricsText) {
        text.add(
            "classicphotos_hosts", .gauge,
            "Hosts: with transfers, left alone for a while, given up after failing again and again.",
            [
                ("working", hosts.workingHosts), ("resting", hosts.restingHosts - hosts.givenUpHosts),
                ("given_up", hosts.givenUpHosts),
            ].map { MetricsText.Sample(labels: [("class", $0)], value: Double($1)) })
        text.add(
            "classicphotos_transfers", .gauge, "Transfers that run, or are about to.", Double(hosts.running))
        text.add("classicphotos_transfers_limit", .gauge, "How many may run at once.", Double(transferLimit))
        text.add(
            "classicphotos_pictures_in_work", .gauge, "Pictures that have arrived and are not written yet.",
            Double(imagesInWork))
        text.add(
            "classicphotos_pictures_in_work_limit", .gauge, "With so many, no more transfers begin.",
            Double(imageLimit))
        text.add(
            "classicphotos_picture_memory_bytes", .gauge, "Bytes of pictures on their way, undecoded and decoded.",
            Double(memoryInUse))
        text.add(
            "classicphotos_picture_memory_limit_bytes", .gauge, "So many bytes may be held together.",
            Double(memoryLimit))
    }
}
