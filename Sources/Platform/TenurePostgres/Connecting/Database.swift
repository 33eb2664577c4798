import Synchronization
import TenureStore

/// The database of a store: its address, and the observations that its sessions share.
final class Database: Sendable {
    private let stored: Mutex<Address>
    /// The observer of new connections and appended rows; `nil` for a program that doesn't watch the store's history.
    let observer: ConnectionObserver?
    private let reread: @Sendable () -> Address?
    private let suspectedLosses = Atomic<Int>(0)
    private let isPoolerChecked = Atomic<Bool>(false)
    private let writing = Mutex<WritingServer?>(nil)
    private let suspicions = Atomic<Int>(0)
    private let hangs = Atomic<Int>(0)

    /// - Parameter reread: Reads the address again after a refused login, because its password may have changed;
    ///   returns `nil` if the address can't be read.
    init(
        _ address: Address, observer: ConnectionObserver? = nil, reread: @escaping @Sendable () -> Address? = { nil }
    ) {
        stored = Mutex(address)
        self.observer = observer
        self.reread = reread
    }

    /// The address as last read.
    var address: Address { stored.withLock { $0 } }

    /// Reads the address again, and returns whether it has changed.
    func rereadAddress() -> Bool {
        guard let fresh = reread() else { return false }
        return stored.withLock { stored in
            defer { stored = fresh }
            return stored.url != fresh.url
        }
    }

    /// The server that the session for changes is connected to, and the host of the URL that led to it.
    struct WritingServer {
        let startedAt: Int64
        let host: Address.Host?
    }

    /// The server of the session for changes; `nil` before that session's first connection. All other sessions use the
    /// same server, because another one may return older rows.
    var writingServer: WritingServer? {
        get { writing.withLock { $0 } }
        set { writing.withLock { $0 = newValue } }
    }

    /// How many times a session found that the database doesn't respond or accepts no changes.
    ///
    /// After each time, all other sessions check their connections before they use them again. A connection to a hung
    /// host or a former primary can look healthy.
    var suspicionCount: Int { suspicions.load(ordering: .relaxed) }

    /// Makes all sessions check their connections before they use them again.
    func suspect() { suspicions.add(1, ordering: .relaxed) }

    /// How many times a read-only connection's check suggested that the database has lost changes.
    ///
    /// After each time, the session that writes changes rechecks its own connection, which records a confirmed loss.
    var suspectedLossCount: Int { suspectedLosses.load(ordering: .relaxed) }

    func suspectLoss() { suspectedLosses.add(1, ordering: .relaxed) }

    /// Runs the check for a transaction pooler unless the check has already succeeded.
    func checkPoolerOnce(_ check: () throws(StoreError) -> Void) throws(StoreError) {
        if isPoolerChecked.load(ordering: .relaxed) { return }
        try check()
        isPoolerChecked.store(true, ordering: .relaxed)
    }

    /// How many times a session gave up waiting for a response.
    ///
    /// A session that has waited for some time gives up as soon as another one has.
    var hangCount: Int { hangs.load(ordering: .relaxed) }

    /// Records that a session gave up waiting; sessions that are waiting or idle then give up sooner.
    func recordHang() {
        hangs.add(1, ordering: .relaxed)
        suspect()
    }
}
