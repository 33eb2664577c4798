public import TenureCore
public import TenureFormats
public import TenureStore

/// What jobs of a kind are called, and what they need to know: who leaves one behind knows no more of the kind.
///
/// ```swift
/// static let letter = JobName<Letter>("mail.letter") { letter, body in
///     body.member("to", letter.to)
/// } read: { body in
///     if case .value(let to) = body.string("to") { Letter(to: to) } else { nil }
/// }
/// ```
public struct JobName<Payload: Sendable>: Sendable {
    /// The name, such as `mail.letter`; jobs of that name may wait in stores, so it is never used for others.
    public let text: String

    private let writeMembers: @Sendable (Payload, inout JSONObjectWriter) -> Void
    private let readMembers: @Sendable (FlatObject) -> Payload?

    /// Names a kind.
    /// - Parameters:
    ///   - write: Writes the members of the payload.
    ///   - read: Reads them, also those that earlier versions wrote; nil for what is none of its own.
    public init(
        _ text: String, write: @escaping @Sendable (Payload, inout JSONObjectWriter) -> Void,
        read: @escaping @Sendable (FlatObject) -> Payload?
    ) {
        self.text = text
        writeMembers = write
        readMembers = read
    }

    /// A job to be inserted by the change that gives cause for it.
    /// - Parameters:
    ///   - id: Drawn before the decision (``JobID/random(using:)``).
    ///   - tenant: Whose it is; nil for the server's own.
    ///   - moment: When it is due.
    public func job(_ payload: Payload, id: JobID, of tenant: TenantID?, at moment: Timestamp) -> Job {
        Job(id: id.text, kind: text, tenant: tenant, dueAt: moment, payload: write(payload))
    }

    func write(_ payload: Payload) -> String {
        String(decoding: JSONWriter.object { body in writeMembers(payload, &body) }, as: UTF8.self)
    }

    func read(_ payload: String) -> Payload? {
        (try? FlatObject(scanning: Array(payload.utf8))).flatMap { readMembers($0) }
    }
}

/// Names a new job: `job_` and 13 random digits.
public struct JobID: Sendable, Hashable {
    /// The text.
    public let text: String

    /// Draws a name.
    public static func random(using generator: inout some RandomNumberGenerator) -> JobID {
        JobID(text: "job_" + LicenseID.random(using: &generator).description.dropFirst(4))
    }
}

/// A kind of jobs: how they are called, by which rules they go, and what is done for one.
public struct JobKind<Payload: Sendable>: Sendable {
    let name: JobName<Payload>
    let rules: JobRules
    let run: @Sendable (Payload, Job, Timestamp) async throws(ServerError) -> JobWork<Payload>

    /// Declares a kind.
    /// - Parameter run: Does one piece of a job, as the server took it. It may be asked for the same piece again, for a
    ///   server can die behind it: what it does outside of the store must bear that, with the job's id as the key. What it
    ///   throws is a failure like one that it answers.
    public init(
        _ name: JobName<Payload>, rules: JobRules = JobRules(),
        run: @escaping @Sendable (Payload, Job, _ now: Timestamp) async throws(ServerError) -> JobWork<Payload>
    ) {
        self.name = name
        self.rules = rules
        self.run = run
    }
}

/// A kind of jobs, whatever they need to know.
package protocol Jobs: Sendable {
    /// Does the jobs of this kind, on every server.
    func runner(on store: any Store, by clock: any WallClock, log: any Log) -> any Service
}

extension JobKind: Jobs {
    package func runner(on store: any Store, by clock: any WallClock, log: any Log) -> any Service {
        JobRunner(self, store: store, clock: clock, log: log)
    }
}

/// What a piece of a job changes, together with how it ended: both are saved in one change, or neither.
public struct JobWork<Payload: Sendable>: Sendable {
    let asked: Asked
    let job: RowLook<Job>
    let decide: @Sendable (Seen) -> (JobEnding<Payload>, [Save])

    /// Changes nothing but the job.
    public static func ending(_ ending: JobEnding<Payload>, of job: Job) -> JobWork {
        JobForms.blank.work(on: job) { _, _ in (ending, []) }
    }
}

/// What a piece's decision looks at beside the job. Keep it in a static value.
public struct JobForm<Looks: Sendable>: Sendable {
    private let form: LoadForm<(job: RowLook<Job>, looks: Looks)>

    /// Declares what is looked at.
    public init(_ declare: (inout Asking) -> Looks) {
        form = LoadForm { ask in (job: ask.row(Job.table.key), looks: declare(&ask)) }
    }

    /// A change of a job's: the looks' values, and the decision, which is pure and may be called again.
    public func work<Payload>(
        on job: Job, _ values: StoredValue..., lists: [[StoredValue]] = [],
        decide: @escaping @Sendable (Seen, Looks) -> (JobEnding<Payload>, [Save])
    ) -> JobWork<Payload> {
        let looks = form.looks
        return JobWork(asked: form.asked(all: [.of(job.id)] + values, lists: lists), job: looks.job) { seen in
            decide(seen, looks.looks)
        }
    }
}

private enum JobForms {
    static let blank = JobForm { _ in }
}
