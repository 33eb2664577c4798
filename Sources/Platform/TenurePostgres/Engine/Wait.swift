/// How long one round trip waits for the database.
struct Wait {
    private let start = ContinuousClock.now
    private let limit: Duration
    private let database: Database
    private let hangCount: Int

    init(upTo limit: Duration, on database: Database) {
        self.limit = limit
        self.database = database
        hangCount = database.hangCount
    }

    /// Whether the time is over, or another session has waited in vain since this wait began.
    ///
    /// So a listing, which may take a minute, doesn't hold its caller that long once the database is known to hang.
    var isOver: Bool {
        let passed = ContinuousClock.now - start
        return passed >= limit || (database.hangCount != hangCount && passed >= Self.shortest)
    }

    private static let shortest = Duration.seconds(3)
}
