import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

/// The payload of the job that reads a provider's list of events.
///
/// The job's row is the durable cursor: it changes in the transaction that stores a page's events.
struct CatchUpWork: Sendable, Hashable {
    let source: SourceID
    var progress: CatchUp

    init(_ source: SourceID, _ progress: CatchUp) {
        self.source = source
        self.progress = progress
    }

    /// Reads the payload of a stored job; `nil` for a job of another kind.
    init?(_ job: Job) {
        guard job.kind == JobName.catchUp.text, let body = try? FlatObject(scanning: Array(job.payload.utf8)),
            let work = CatchUpWork(body)
        else { return nil }
        self = work
    }

    fileprivate init?(_ body: FlatObject) {
        guard let source = body.string("source").value.flatMap({ SourceID($0) }), let readUntil = body.time("readUntil")
        else { return nil }
        self.source = source
        progress = CatchUp(readUntil: readUntil, since: body.time("since"))
        if let walk = body.object("walk").value, let from = walk.time("from"), let start = walk.time("startedAt") {
            progress.walk = CatchUp.Walk(
                from: from, startedAt: start, after: walk.string("after").value.flatMap { ProviderID($0) },
                pageSize: walk.count("pageSize") ?? CatchUp.mostEvents, pages: walk.count("pages") ?? 0)
        }
        if let gap = body.object("gap").value, let from = gap.time("from"), let until = gap.time("until") {
            progress.gap = CatchUp.Gap(from: from, until: until)
        }
    }

    fileprivate func write(_ body: inout JSONObjectWriter) {
        body.member("source", source.text)
        body.member("readUntil", progress.readUntil.seconds)
        if let since = progress.since { body.member("since", since.seconds) }
        if let walk = progress.walk {
            body.object("walk") { body in
                body.member("from", walk.from.seconds)
                body.member("startedAt", walk.startedAt.seconds)
                body.member("after", walk.after?.text)
                body.member("pageSize", walk.pageSize)
                body.member("pages", walk.pages)
            }
        }
        if let gap = progress.gap {
            body.object("gap") { body in
                body.member("from", gap.from.seconds)
                body.member("until", gap.until.seconds)
            }
        }
    }

    /// The job of a source; each source has at most one.
    func job(of tenant: TenantID, at time: Timestamp) -> Job {
        let id = Self.jobID(of: source, tenant)
        return Job(id: id, kind: JobName.catchUp.text, tenant: tenant, dueAt: time, payload: payload)
    }

    /// The work as a job's payload.
    var payload: String { String(decoding: JSONWriter.object { write(&$0) }, as: UTF8.self) }

    static func jobID(of source: SourceID, _ tenant: TenantID) -> String { "job_catch_up_\(tenant).\(source)" }
}

extension JobName where Payload == CatchUpWork {
    /// The job that reads a provider's list of events.
    static let catchUp = JobName("selling.catch_up") { work, body in
        work.write(&body)
    } read: { body in
        CatchUpWork(body)
    }
}

extension FlatObject {
    fileprivate func time(_ name: String) -> Timestamp? { integer(name).value.map { Timestamp(seconds: $0) } }

    fileprivate func count(_ name: String) -> Int? {
        integer(name).value.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
