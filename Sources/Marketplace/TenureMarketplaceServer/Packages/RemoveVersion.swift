package import TenureCore
package import TenureServerKit
package import TenureStore

/// Removes a version of an app with the keys of its assets, so that devices no longer find it.
package struct RemoveVersion: Sendable {
    let store: any Store

    /// Creates the use case for a store.
    package init(store: any Store) { self.store = store }

    /// Removes a version; `false` if it doesn't exist.
    ///
    /// Existing licenses stay, but aren't renewed until the app is updated. Throws ``ServerError`` if the store fails.
    package func callAsFunction(
        _ item: AppleItemID, _ version: AppleVersionID, of tenant: TenantID
    ) async throws(ServerError) -> Bool {
        let form = Self.form
        let key: [StoredValue] = [.of(tenant), .of(item), .of(version)]
        let change = Change(
            form.asked(key[0], key[1], key[2], key[0], key[1], key[2], lists: [[.of(tenant)]])
        ) { seen -> Saving<Bool> in
            guard let row = seen[form.looks.version] else { return Saving(false) }
            let saves = seen[form.looks.assets].map { Save.remove($0) } + [.remove(row)]
            return Saving(true, saves + form.looks.marks.raised(for: [tenant], in: seen))
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }
    }

    private struct Looks: Sendable {
        let marks: TenantMarks
        let version: RowLook<VersionRow>
        let assets: RowsLook<AppAsset>

        init(_ ask: inout Asking) {
            marks = TenantMarks(&ask)
            version = ask.row(VersionRow.table.key)
            assets = ask.rows(AppAsset.ofVersion, upTo: Asking.everything)
        }
    }

    private static let form = LoadForm(isAlone: true, Looks.init)
}
