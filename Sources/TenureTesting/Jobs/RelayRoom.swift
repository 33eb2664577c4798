package import TenureCore
import TenureFormats
package import TenureServerKit
package import TenureStore

/// A room of the tests' own, whose jobs relay something to the outside piece by piece: no program that people use has it.
///
/// Each piece is delivered outside, where the job's id and the piece's number tell a repetition, and is written down in
/// the store, which must hold each once.
package struct RelayRoom: Sendable {
    /// What is relayed.
    package struct Relay: Sendable, Hashable {
        /// In how many pieces.
        package let pieces: Int64
        /// The piece that comes next, from 0.
        package let next: Int64
    }

    /// Delivers a piece outside. What it throws is a failed attempt.
    package typealias Deliver = @Sendable (_ job: Job, _ piece: Int64) async throws(ServerError) -> Void

    /// What its jobs are called.
    package static let relay = JobName<Relay>("test.relay") { relay, body in
        body.member("pieces", relay.pieces)
        body.member("next", relay.next)
    } read: { body in
        guard case .value(let pieces) = body.integer("pieces"), case .value(let next) = body.integer("next") else {
            return nil
        }
        return Relay(pieces: pieces, next: next)
    }

    /// The kind of its jobs.
    package static func kind(rules: JobRules, deliver: @escaping Deliver) -> JobKind<Relay> {
        JobKind(relay, rules: rules) { relay, job, now throws(ServerError) in
            try await deliver(job, relay.next)
            let name = note(of: job.id, relay.next)
            return form.work(on: job, .of(name)) { seen, note in
                let next = Relay(pieces: relay.pieces, next: relay.next + 1)
                let ending: JobEnding<Relay> = next.next == next.pieces ? .done : .again(at: now, next)
                return (ending, [.insert(SettingRecord(name: name, value: Array("\(job.attempt)".utf8)))])
            }
        }
    }

    /// A change that gives cause for a job, with the job in it.
    package static func order(
        _ pieces: Int64, id: JobID, of tenant: TenantID?, at now: Timestamp
    ) -> Change<Void> {
        let job = relay.job(Relay(pieces: pieces, next: 0), id: id, of: tenant, at: now)
        return Change { Saving((), [.insert(SettingRecord(name: "ordered.\(id.text)", value: [])), .insert(job)]) }
    }

    /// The setting that tells in which attempt a piece was written down.
    package static func note(of job: String, _ piece: Int64) -> String { "relayed.\(job).\(piece)" }

    private static let form = JobForm { ask in ask.row(SettingRecord.table.key) }
}
