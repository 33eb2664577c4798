import Synchronization
import TenureStore

/// The database of a store: its address, and what the store's sessions have learned about it.
final class Database: Sendable {
    private let stored: Mutex<Address>
    private let reread: @Sendable () -> Address?
    private let suspicions = Atomic<Int>(0)
    private let hangs = Atomic<Int>(0)

    /// - Parameter reread: Reads the address again after a refused login, because its password may have changed; returns
    ///   `nil` if it can't.
    init(_ address: Address, reread: @escaping @Sendable () -> Address? = { nil }) {
        stored = Mutex(address)
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

    /// How many times a session found that the database doesn't respond or accepts no changes.
    ///
    /// After each time, all other sessions check their connections before they use them again, because a connection to
    /// a hung host or a former primary can look healthy.
    var suspicionCount: Int { suspicions.load(ordering: .relaxed) }

    /// Makes all sessions check their connections before they use them again.
    func suspect() { suspicions.add(1, ordering: .relaxed) }

    /// How many times a session waited in vain for a response.
    ///
    /// A session that has waited for some time gives up as soon as another one has.
    var hangCount: Int { hangs.load(ordering: .relaxed) }

    /// Records that a session waited in vain; sessions that are waiting or idle then don't wait as long.
    func recordHang() {
        hangs.add(1, ordering: .relaxed)
        suspect()
    }
}
