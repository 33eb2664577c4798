import Synchronization
public import TenureStore

/// Keeps the store's promises in one PostgreSQL database, which many servers may share.
///
/// Changes go through one thread of each server, many to a commit; looks and lists each through a few threads of their
/// own, looks of one form that wait together in one round trip. Callers wait without holding a thread. A connection that
/// is lost is made again.
/// See `Documentation/storage.md` for the tables and for what is durable when.
public final class PostgresStore: Store {
    /// For what every request asks.
    let looks: Looks
    /// For listings and views, which may take longer.
    let lists: SessionLane
    /// For what one server leads in.
    let leading: SessionLane
    /// For what is adopted from another store.
    let adopting: SessionLane
    /// Where a snapshot connects to.
    let address: Address
    /// The terms in which this server leads.
    let terms = Mutex<[Role: LeaderTerm]>([:])
    private let writer: Writer

    init(
        _ address: Address, looks: Looks, lists: SessionLane, leading: SessionLane, adopting: SessionLane,
        writer: Writer
    ) {
        self.address = address
        self.adopting = adopting
        self.looks = looks
        self.lists = lists
        self.leading = leading
        self.writer = writer
    }

    /// Carries out one change, with others that wait in one transaction, and waits for the disk.
    ///
    /// Changes are exact across servers as far as they look at rows by keys: these are locked before sets are read. When
    /// the connection is lost during the commit, the error says that the outcome is unknown.
    public func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Raises a column of many rows, when no change waits.
    public func note(_ note: Note) async throws(StoreError) {
        try await writer.write(note)
    }

    /// Waits for changes and reads under way, then lets go of the connections.
    public func close() async {
        await writer.stop()
        await looks.stop()
        await lists.stop()
        await leading.stop()
        await adopting.stop()
    }
}
