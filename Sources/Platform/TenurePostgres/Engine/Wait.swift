/// How long one round trip waits for the database.
///
/// The database limits each statement separately, so each result restarts the wait.
struct Wait {
    private var start = ContinuousClock.now
    private var limit: Duration
    private let database: Database
    private let hangCount: Int
    private let isCommit: Bool
    private var isCanceled = false

    /// - Parameter isCommit: Whether a COMMIT is sent last. Another session's hang doesn't shorten the wait for a
    ///   COMMIT, because the outcome of the COMMIT would be unknown.
    init(upTo limit: Duration, on database: Database, isCommit: Bool) {
        self.limit = limit
        self.database = database
        self.isCommit = isCommit
        hangCount = database.hangCount
    }

    /// Whether to cancel the commit; true only for the first call. The wait then continues for three seconds.
    mutating func mayCancel() -> Bool {
        guard isCommit, !isCanceled else { return false }
        (isCanceled, start, limit) = (true, .now, Self.shortest)
        return true
    }

    /// Restarts the wait, because the database has just responded.
    mutating func receivedResult() { start = .now }

    /// Whether the limit has passed, or another session has given up waiting since this wait began.
    ///
    /// So a listing, which may take a minute, doesn't make its caller wait that long if the database hangs.
    var isOver: Bool {
        let passed = ContinuousClock.now - start
        return passed >= limit || (!isCommit && database.hangCount != hangCount && passed >= Self.shortest)
    }

    private static let shortest = Duration.seconds(3)
}
