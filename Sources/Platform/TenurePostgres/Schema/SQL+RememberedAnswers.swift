extension SQL {
    /// Responses, kept for a day, so that a repeated request gets the same one.
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
