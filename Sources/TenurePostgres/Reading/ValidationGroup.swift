import TenureCore
import TenureStore

/// What a validation asks the store.
struct ValidationQuestion: Sendable {
    let activation: ActivationID
    let key: Digest
    let product: ProductRef
}

/// A validation that waits for its lookup.
struct WaitingValidation: Sendable {
    let question: ValidationQuestion
    let caller: CheckedContinuation<Result<ValidationRecord, StoreError>, Never>
}

/// Validations that are looked up together: one statement, one round trip, and the cost of both shared.
struct ValidationGroup: WaitingRead {
    let waiting: [WaitingValidation]

    func run(on session: Session) {
        do throws(StoreError) {
            let found = try session.use { connection throws(StoreError) in try records(on: connection) }
            for (one, record) in zip(waiting, found) { one.caller.resume(returning: record) }
        } catch {
            for one in waiting { one.caller.resume(returning: .failure(error.forCallers)) }
        }
    }

    /// A row that cannot be read fails its own validation alone.
    private func records(
        on connection: Connection
    ) throws(StoreError) -> [Result<ValidationRecord, StoreError>] {
        let questions = waiting.map(\.question)
        let answer = try connection.run(
            .validations,
            [
                .ids(questions.map(\.activation)), .blobs(questions.map(\.key.bytes)),
                .texts(questions.map(\.product.tenant.text)), .texts(questions.map(\.product.product.text)),
            ])
        var records = [Result<ValidationRecord, StoreError>](
            repeating: .failure(.unreadable("a catalog version")), count: questions.count)
        for (place, record) in try answer.all({ row in ValidationRecord.read(row, of: questions) }) {
            records[place] = record
        }
        return records
    }
}

extension ValidationRecord {
    fileprivate static func read(
        _ row: Row, of questions: [ValidationQuestion]
    ) -> (Int, Result<ValidationRecord, StoreError>) {
        let place = Int(row.integer(17)) - 1
        let question = questions[place]
        do throws(StoreError) {
            let record = ValidationRecord(
                catalogVersion: row.integer(0),
                license: row.isNull(1)
                    ? nil
                    : try License.read(
                        row, id: row.license(1), product: question.product, hash: question.key, from: 2),
                activation: row.isNull(10) ? nil : try Activation.read(row, id: question.activation, from: 10))
            return (place, .success(record))
        } catch {
            return (place, .failure(error))
        }
    }
}

extension SQL {
    fileprivate static let validations = SQL(
        """
        SELECT c.version, l.id, l.policy, l.state, l.term_start, l.term_end, l.issued_at, l.first_activated_at,
            l.key_masked, l.holder,
            a.license_id, a.activated_at, a.last_seen_at, a.released_at, a.name, a.identity,
            a.released_by, w.place
        FROM catalog_version c
        CROSS JOIN unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[]) WITH ORDINALITY
            AS w (activation, key_hash, tenant, product, place)
        LEFT JOIN LATERAL (SELECT * FROM licenses WHERE key_hash = w.key_hash OFFSET 0) AS l
            ON l.tenant = w.tenant AND l.product = w.product
        LEFT JOIN activations a ON a.id = w.activation
        """)
}
