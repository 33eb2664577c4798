import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure job`.
enum JobCommands {
    private static let state: Argument<Job.State?> = .optional(
        "state", "STATE", "List only jobs in this state.", as: .choice())
    private static let kind: Argument<String?> = .optional("kind", "KIND", "List only jobs of this kind.", as: .text)
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of jobs.", as: .int(in: 1...1000), default: 100)
    private static let after: Argument<String?> = .optional(
        "after", "JOB", "Start after this job, the last one on the previous page.", as: .text)
    private static let job = Argument.positional("JOB", "The job's id, such as job_0123456789abc.", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "job", "Lists the server's unfinished jobs, and retries failed ones.",
            example: "tenure job list --state failed", commands: [list(installations), retry(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists unfinished jobs: first failed, then running, then waiting ones.",
            discussion: "Jobs in the same state are listed by due date.",
            example: "tenure job list --state failed",
            arguments: [state, kind, SharedOptions.tenant, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("jobs", of: .output(Job.members))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let states = arguments[state].map { [$0] } ?? Set(Job.State.allCases)
            let listed = try await installation.store.jobs(
                states, kind: arguments[kind], of: arguments[SharedOptions.tenant],
                limit: arguments[after] == nil ? arguments[limit] : 1000)
            await installation.store.close()
            let jobs = try listed.page(after: arguments[after], limit: arguments[limit], \.id)
            let next = jobs.count == arguments[limit] ? jobs.last?.id : nil
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("jobs") { list in for job in jobs { list.object { $0.job(job) } } }
                    body.next(next)
                }
                return .done
            }
            var table = TextTable([
                .text("job"), .text("kind"), .text("tenant"), .state("state"), .text("due"), .number("attempt"),
                .text("failure"),
            ])
            for job in jobs {
                table.add([
                    job.id, job.kind, job.tenant?.text ?? "-", job.state.rawValue, job.dueAt.local,
                    "\(job.attempt)",
                    job.failure ?? "-",
                ])
            }
            console.answer(table)
            if let next { console.note("there may be more; continue with --after \(next)") }
            return .done
        }
    }

    private static func retry(_ installations: Installations) -> Command {
        Command(
            "retry", "Retries a failed job at once.",
            discussion: "The job gets all retries of its kind again. Repeating the command changes nothing.",
            example: "tenure job retry job_0123456789abc",
            arguments: [job, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(Job.members + [("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let retried = try await installation.context.retryJob(
                arguments[job], by: .commandLine)
            await installation.store.close()
            guard let (found, hasChanged) = retried else {
                throw CommandError(
                    "There is no job \(arguments[job]), or it has finished. Run `tenure job list` to see unfinished jobs."
                )
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
}

extension Job {
    /// The members of a job in the JSON output of commands.
    fileprivate static let members: [Schema.OutputMember] = [
        ("job", .text()), ("kind", .text()), ("tenant", .textOrNull),
        ("state", .choice(State.allCases.map(\.rawValue))), ("dueAt", .dateTime), ("attempt", .integer()),
        ("failures", .integer()), ("failure", .textOrNull),
    ]
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
