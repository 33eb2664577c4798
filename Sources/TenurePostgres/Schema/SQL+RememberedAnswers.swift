extension SQL {
    /// A request that is sent again is answered as before; what was answered is kept for a day.
    static let rememberedAnswers = SQL(
        """
        CREATE TABLE answers (
            request bytea PRIMARY KEY CHECK (length(request) = 32),
            fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
            at bigint NOT NULL,
            sealed bytea NOT NULL
        );
        CREATE INDEX answers_by_age ON answers (at);
        """)
}
