import Glibc
import TenureCore
import TenureLicensing
import TenureServer
import TenureServerKit
import TenureStore

/// Looks at the master key and whether it opens the signing keys.
enum KeyCheck {
    static func run(_ store: any Store, _ file: MasterKeyFile, of place: StorePlace) async -> [Finding] {
        do {
            guard let checkValue = try await store.setting(MasterKey.checkValueSetting) else {
                return [.ok("master key", "not needed yet: the store is empty")]
            }
            guard try file.read().matches(checkValue: checkValue) else {
                return [
                    .failure(
                        "master key", "\(file.path) is not the key of this store",
                        cure: "Name the right one with --master-key-file FILE.")
                ]
            }
            let keys = try await store.signingKeys()
            let catalog = try await CatalogCache(store: store, master: try file.read())
            let bare = catalog.current.catalog.tenants.keys.filter { catalog.current.keyRings[$0] == nil }.sorted()
            return [exposure(of: file, beside: place)]
                + bare.map { tenant in
                    .failure("signing keys", "tenant \(tenant) has none", cure: "tenure key rotate --tenant \(tenant)")
                } + (bare.isEmpty ? [.ok("signing keys", "\(keys.count), all opened")] : [])
                + ContentCheck.run(catalog.current, of: place)
        } catch {
            return [.failure("keys", "\(error)", cure: "Without the right master key nothing can be signed.")]
        }
    }

    private static func exposure(of file: MasterKeyFile, beside place: StorePlace) -> Finding {
        if file.isExposed {
            return .warning("master key", "others may read \(file.path)", cure: "chmod 600 \(file.path)")
        }
        if case .folder(let path) = place, file.path == DataFolder(path: path).standardMasterKey {
            return .warning(
                "master key", "it lies beside the data: who copies the folder has both",
                cure: "Move it elsewhere, and name it with --master-key-file FILE.")
        }
        return .ok("master key", file.path)
    }
}

/// Looks at the clock: everything Tenure promises is dated by it.
enum ClockCheck {
    static func run(_ store: any Store, virtualClock: String?) async -> Finding {
        if let virtualClock {
            return .warning(
                "clock", "virtual clock, moved by \(virtualClock)", cure: "Leave --clock away on a server that counts.")
        }
        let now = SystemClock().now()
        if let latest = try? await latestEvent(store), latest > now.adding(seconds: 300) {
            return .failure(
                "clock", "it says \(now), and the latest event is dated \(latest)",
                cure: "Set the clock right before serving: leases would be dated before what was given already.")
        }
        guard access("/run/systemd/timesync/synchronized", F_OK) == 0 else {
            return .ok("clock", "\(now); whether it is synchronised cannot be told from here")
        }
        return .ok("clock", "\(now), synchronised")
    }

    private static func latestEvent(_ store: any Store) async throws(StoreError) -> Timestamp? {
        let last = try await store.census().latestEvent
        return try await store.events(EventFilter(), after: max(0, last - 1), limit: 1).last?.event.at
    }
}
