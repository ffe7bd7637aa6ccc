import PhotoDevelopment
import Wording

/// What people read about a plan that was made.
enum PlanText {
    private static let mostTold = 10

    /// How many rows a plan has not, as their addresses are repeated.
    static func leftOut(_ repeated: Int) -> String {
        tr(
            repeated, "\(repeated) row was left out, as an earlier one has its address",
            "\(repeated) rows were left out, as earlier ones have their addresses")
    }

    static func summary(_ result: Planner.Result, _ output: String) -> String {
        let plan = result.plan
        let (most, least) = (plan.taskRows.first ?? 0, plan.taskRows.last ?? 0)
        var lines = [
            tr(
                "\(CountedMessage.photos(plan.rows)) in \(CountedMessage.tasks(plan.taskRows.count)) and "
                    + "\(CountedMessage.shards(plan.shardCount)): \(output.printable)")
        ]
        if let repeated = plan.repeatedRows { lines.append(leftOut(repeated)) }
        // No option of a plan names them.
        lines += LeftOutText.counts(result.leftOut, isNamed: true)
        if plan.taskRows.count > 1 {
            lines.append(
                least == most
                    ? tr("each task has \(CountedMessage.photos(most))") : tr("tasks have \(least) to \(most) photos"))
        }
        if !result.heavyDomains.isEmpty {
            lines.append(tr("domains with more photos than a task has on average, each kept in one task:"))
        }
        for heavy in result.heavyDomains.prefix(mostTold) {
            let hours = Figures.rate(Double(heavy.rows) / 10 / 3_600)
            lines.append(
                "  \(heavy.domain.printable): "
                    + tr(
                        heavy.rows, "about \(heavy.rows) photo, \(hours) hours at 10 requests a second",
                        "about \(heavy.rows) photos, \(hours) hours at 10 requests a second"))
        }
        if result.heavyDomains.count > mostTold {
            lines.append("  " + tr("… and \(result.heavyDomains.count - mostTold) more"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
