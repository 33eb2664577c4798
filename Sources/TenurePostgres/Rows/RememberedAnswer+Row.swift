import TenureCore
import TenureStore

extension RememberedAnswer {
    static func read(_ row: Row) throws(StoreError) -> RememberedAnswer {
        RememberedAnswer(
            key: try row.digest(0), fingerprint: try row.digest(1), sealed: row.bytes(3), at: row.moment(2))
    }
}

extension SQL {
    private static let lockAnswers = SQL("SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key")
    private static let answersTo = SQL(
        "SELECT request, fingerprint, at, sealed FROM answers WHERE request = ANY ($1::bytea[])")

    /// Loads what was answered to these requests; until the commit no other server answers one of them.
    ///
    /// An answer that is not there yet has no row to lock, so the beginnings of the requests' digests are, in order.
    static func loadingAnswers(to requests: [Digest]) -> [Statement] {
        let locks = Set(requests.map { request in request.bytes.prefix(8).reduce(0 as Int64) { $0 << 8 | Int64($1) } })
        return [
            Statement(lockAnswers, [.integers(locks.sorted())]),
            Statement(answersTo, [.blobs(requests.map(\.bytes))]),
        ]
    }

    static let answersAfter = SQL(
        "SELECT request, fingerprint, at, sealed FROM answers WHERE request > $1 ORDER BY request LIMIT $2")
    private static let adoptAnswers = SQL(
        """
        INSERT INTO answers (request, fingerprint, at, sealed)
        SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bytea[])
        ON CONFLICT (request) DO UPDATE SET fingerprint = excluded.fingerprint, at = excluded.at,
            sealed = excluded.sealed
        """)

    /// Saves answers, each of them once.
    static func adopting(_ answers: [RememberedAnswer]) -> Statement {
        Statement(
            adoptAnswers,
            [
                .blobs(answers.map(\.key.bytes)), .blobs(answers.map(\.fingerprint.bytes)),
                .integers(answers.map(\.at.seconds)), .blobs(answers.map(\.sealed)),
            ])
    }

    private static let insertAnswer = SQL(
        """
        INSERT INTO answers (request, fingerprint, at, sealed) VALUES ($1, $2, $3, $4)
        ON CONFLICT (request) DO UPDATE SET fingerprint = excluded.fingerprint, at = excluded.at,
            sealed = excluded.sealed
        """)
    private static let deleteAnswers = SQL("DELETE FROM answers WHERE at < $1")

    static func saving(_ answer: RememberedAnswer) -> Statement {
        Statement(
            insertAnswer, [.blob(answer.key), .blob(answer.fingerprint), .moment(answer.at), .blob(answer.sealed)])
    }

    static func forgettingAnswers(before moment: Timestamp) -> Statement {
        Statement(deleteAnswers, [.moment(moment)])
    }
}
