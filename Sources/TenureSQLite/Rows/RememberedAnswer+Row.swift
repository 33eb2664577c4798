import TenureCore
import TenureStore

extension RememberedAnswer {
    static func read(_ row: Row) throws(StoreError) -> RememberedAnswer {
        RememberedAnswer(
            key: try row.digest(0), fingerprint: try row.digest(1), sealed: row.bytes(3), at: row.moment(2))
    }
}

extension SQL {
    private static let answerColumns: StaticString = "SELECT request, fingerprint, at, sealed FROM answers"
    static let rememberedAnswer = SQL(answerColumns, " WHERE request = ?1")
    static let answersAfter = SQL(answerColumns, " WHERE request > ?1 ORDER BY request LIMIT ?2")

    private static let insertAnswer = SQL(
        "INSERT OR REPLACE INTO answers (request, fingerprint, at, sealed) VALUES (?1, ?2, ?3, ?4)")

    private static let deleteAnswers = SQL("DELETE FROM answers WHERE at < ?1")

    static func save(_ answer: RememberedAnswer, on connection: Connection) throws(StoreError) {
        try connection.run(
            insertAnswer, [.blob(answer.key), .blob(answer.fingerprint), .moment(answer.at), .blob(answer.sealed)])
    }

    static func forgetAnswers(before moment: Timestamp, on connection: Connection) throws(StoreError) {
        try connection.run(deleteAnswers, [.moment(moment)])
    }
}
