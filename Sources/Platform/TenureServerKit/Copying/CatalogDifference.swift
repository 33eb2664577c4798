import TenureStore

/// Compares the catalogs of two stores.
enum CatalogDifference {
    /// Whether the catalogs' rows differ, apart from the catalogs' version numbers; `false` if the later store can't
    /// be read.
    ///
    /// Throws `StoreError` if the restored store fails.
    static func exists(
        between later: any Store, and store: any Store, of features: FeatureSet
    ) async throws(StoreError) -> Bool {
        let part = TenantRow.table.shape.part
        let tables = features.schema.tables.filter { $0.part == part && $0.isCounted }
        let restored = try await digests(of: tables, in: store)
        guard let compared = try? await digests(of: tables, in: later) else { return false }
        return restored != compared
    }

    private static func digests(
        of tables: [TableShape], in store: any Store
    ) async throws(StoreError) -> [PartDigest] {
        let snapshot = try await store.snapshot()
        let digests = PartDigests(tables)
        do throws(StoreError) {
            for table in tables {
                var last: StoredRow?
                repeat {
                    let page = try await snapshot.page(of: table, after: last, limit: 1_000)
                    _ = digests.add(page, of: table)
                    last = page.count == 1_000 ? page.last : nil
                } while last != nil
            }
        } catch {
            await snapshot.end()
            throw error
        }
        await snapshot.end()
        return digests.digests
    }
}

extension StoreError {
    /// The reason why a database file can't be read, as the end of a sentence.
    var causeOfDamage: String {
        switch (code, cause) {
        case (.corrupt, "file is not a database"?): "it isn't a database"
        case (.corrupt, let cause?): "it is damaged (\(cause))"
        case (.corrupt, nil): "it is damaged"
        default: message.withoutPeriod
        }
    }
}

extension String {
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(unicodeScalars.dropLast()) : self }
}
