extension SQL {
    /// Responses, kept for a day, so that a repeated request gets the same one.
    static let rememberedAnswers = SQL(
        """
        CREATE TABLE answers (
            request BLOB NOT NULL PRIMARY KEY CHECK (length(request) = 32),
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
            at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX answers_by_age ON answers (at);
        """)
}
