import TenureCore
import TenureStore

/// Writes down which licenses time has expired, so that there is an event to tell others.
public struct ExpireLicenses: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// Records those that are due, at most a batch; answers how many were recorded.
    ///
    /// Each license is a change of its own. Repeating it records nothing twice. Throws ``ServerError``.
    public func callAsFunction() async throws(ServerError) -> Int {
        let now = clock.now()
        let due = try await asking { () async throws(StoreError) in
            try await store.licensesToExpire(at: now, limit: Self.batch)
        }
        var recorded = 0
        for license in due {
            let did = try await catalog.perform(loading: LoadKeys(license: .id(license))) { loaded, _ in
                guard case .granted(let consequences)? = loaded.license?.expire(at: now) else { return Saving(false) }
                return Saving(!consequences.isEmpty, [Write](consequences))
            }
            if did { recorded += 1 }
        }
        return recorded
    }

    static let batch = 500
}
