import Glibc
import Synchronization
import TenureCrypto
import TenureFormats
import TenureStore

/// Reads the catalog soon after a change of the master key, so that this server encrypts under the new key within
/// seconds. Also reports which key the server uses (``ServerReport``).
final class FollowMasterKey: Service {
    private let catalog: CatalogCache
    private let clock: any WallClock
    private let lacksMailLinks: Bool
    private let id = Hex.encode(SecureRandom.bytes(8))
    /// The last report; `nil` before the first one.
    private let reported = Mutex<ServerReport?>(nil)

    init(catalog: CatalogCache, clock: any WallClock, lacksMailLinks: Bool = false) {
        self.catalog = catalog
        self.clock = clock
        self.lacksMailLinks = lacksMailLinks
    }

    var name: String { "master_key" }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        do throws(ServerError) {
            _ = try await catalog.refreshIfChanged()
        } catch {
            // Other services report an unavailable store. Any other error is thrown, because it may mean that this
            // server missed a change of the key.
            guard error.isTransient else { throw error }
        }
        // Other services log why the store accepts no writes. If the report is missing, `tenure doctor` can't name this
        // server, but nothing else is affected.
        do throws(ServerError) { try await report() } catch {}
        return .after(Self.interval)
    }

    func finish() async throws(ServerError) {
        // If the report can't be removed, it soon counts as outdated.
        do throws(ServerError) { try await reported.withLock { $0 }?.remove(from: catalog.store) } catch {}
    }

    private func report() async throws(ServerError) {
        let report = ServerReport(
            id: id, name: Self.processName, key: catalog.master.identifier, lacksMailLinks: lacksMailLinks,
            at: clock.now())
        let last = reported.withLock { $0 }
        if let last, last.key == report.key, last.isFresh(at: clock.now()) { return }
        try await report.save(in: catalog.store, removingOutdated: last == nil)
        reported.withLock { $0 = report }
    }

    /// The process's name for operators, such as `process 4711 on alpha`.
    private static let processName = "process \(getpid()) on \(ServerFacts.hostName)"

    /// How often the catalog's version is read.
    static let interval = Duration.seconds(4)
}
