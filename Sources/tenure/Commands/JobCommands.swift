import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command group `tenure job`.
enum JobCommands {
    private static let state: Argument<Job.State?> = .optional(
        "state", "STATE", "Only those in this state.", as: .choice())
    private static let kind: Argument<String?> = .optional("kind", "KIND", "Only those of this kind.", as: .text)
    private static let limit = Argument.option("limit", "N", "At most so many.", as: .int(in: 1...1000), default: 100)
    private static let job = Argument.positional("JOB", "The job's name, such as job_0123456789abc.", as: .text)

    static let group = CommandGroup(
        "job", "Lists the server's work that is not done, and lets failed work be tried again.",
        example: "tenure job list --state failed", commands: [list, retry])

    private static let list = Command(
        "list", "Lists jobs that are not done: those that failed for good, then those under way, then those that wait.",
        discussion: "Within a state in the order in which they are due.",
        example: "tenure job list --state failed",
        arguments: [state, kind, SharedOptions.tenant, limit, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let states = arguments[state].map { [$0] } ?? [.failed, .running, .waiting]
        let jobs = try await installation.store.jobs(
            states, kind: arguments[kind], of: arguments[SharedOptions.tenant], limit: arguments[limit])
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("jobs") { list in for job in jobs { list.object { $0.job(job) } } }
            }
            return .done
        }
        var table = TextTable([
            .text("job"), .text("kind"), .text("tenant"), .text("state"), .text("due"), .number("attempt"),
            .text("failure"),
        ])
        for job in jobs {
            table.add([
                job.id, job.kind, job.tenant?.text ?? "-", job.state.rawValue, job.dueAt.description, "\(job.attempt)",
                job.failure ?? "-",
            ])
        }
        console.answer(table)
        if jobs.count == arguments[limit] { console.note("there may be more: --limit N") }
        return .done
    }

    private static let retry = Command(
        "retry", "Lets a job that failed for good be tried again, at once.",
        discussion: "It has the whole plan of its kind before it again. Repeating it changes nothing.",
        example: "tenure job retry job_0123456789abc",
        arguments: [job, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let retried = try await RetryJob(store: installation.store, clock: installation.clock)(
            arguments[job], by: .commandLine)
        await installation.store.close()
        guard let (found, hasChanged) = retried else {
            throw CommandError(
                "There is no job \(arguments[job]), or it is done. `tenure job list` shows those that are not.")
        }
        console.answer(
            hasChanged ? "\(found.id) is due now" : "\(found.id) is \(found.state) and has not failed",
            asJSON: arguments[SharedOptions.json]
        ) { body in
            body.job(found)
            body.member("changed", hasChanged)
        }
        return .done
    }
}

extension JSONObjectWriter {
    /// Writes a job without its payload, whose format depends on the kind.
    fileprivate mutating func job(_ job: Job) {
        member("job", job.id)
        member("kind", job.kind)
        member("tenant", job.tenant?.text)
        member("state", job.state.rawValue)
        member("dueAt", job.dueAt.description)
        member("attempt", job.attempt)
        member("failures", job.failures)
        member("failure", job.failure)
    }
}
