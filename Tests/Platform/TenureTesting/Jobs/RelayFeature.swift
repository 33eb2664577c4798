package import TenureCore
import TenureFormats
package import TenureServerKit
package import TenureStore

/// A server feature for tests, whose jobs deliver numbered pieces to a receiver; no release contains it.
///
/// The receiver detects repetitions by the job's id and the piece's number. The store records each piece, and must
/// record it exactly once.
package struct RelayFeature: Sendable {
    /// The payload of a job.
    package struct Relay: Sendable, Hashable {
        package let pieces: Int64
        /// The next piece, from 0.
        package let next: Int64
    }

    /// Delivers a piece; an error that it throws fails the attempt.
    package typealias Deliver = @Sendable (_ job: Job, _ piece: Int64) async throws(ServerError) -> Void

    /// The name of the jobs, with their payload's JSON format.
    package static let relay = JobName<Relay>("test.relay") { relay, body in
        body.member("pieces", relay.pieces)
        body.member("next", relay.next)
    } read: { body in
        guard case .value(let pieces) = body.integer("pieces"), case .value(let next) = body.integer("next") else {
            return nil
        }
        return Relay(pieces: pieces, next: next)
    }

    /// Returns the kind of relay jobs. Each turn of a job delivers one piece.
    package static func kind(rules: Job.Rules, deliver: @escaping Deliver) -> Job.Kind<Relay> {
        Job.Kind(relay, rules: rules) { relay, job, now in
            try await deliver(job, relay.next)
            let name = note(of: job.id, relay.next)
            return form.work(on: job, name) { results, note in
                let next = Relay(pieces: relay.pieces, next: relay.next + 1)
                let ending: Job.Ending<Relay> = next.next == next.pieces ? .done : .again(at: now, next)
                return (ending, [.insert(SettingRecord(name: name, value: Array("\(job.attempt)".utf8)))])
            }
        }
    }

    /// Returns a change that creates a job, and a setting that records its creation.
    package static func order(
        _ pieces: Int64, id: Job.ID, of tenant: TenantID?, at now: Timestamp
    ) -> Transaction<Void> {
        let job = relay.job(Relay(pieces: pieces, next: 0), id: id, of: tenant, at: now)
        return Transaction {
            TransactionResult((), [.insert(SettingRecord(name: "ordered.\(id.text)", value: [])), .insert(job)])
        }
    }

    /// The name of the setting that records in which attempt a piece was delivered.
    package static func note(of job: String, _ piece: Int64) -> String { "relayed.\(job).\(piece)" }

    private static let form = Job.WorkPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] }
    }
}
