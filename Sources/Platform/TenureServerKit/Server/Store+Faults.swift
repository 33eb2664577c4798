public import TenureStore

extension FeatureSet {
    /// Checks a store's integrity, and references from events to licenses, which no constraint covers.
    ///
    /// Returns a sentence for each problem.
    public func faults(in store: any Store) async throws(StoreError) -> [String] {
        let stray = try await store.view(strayEvents)
        return try await store.integrityFaults(of: nil)
            + stray.map { id in "events: \(id) refers to a license that doesn't exist" }
    }
}

extension EventRecord {
    /// A query for the tenants and numbers of up to 100 events whose license is in none of the tables.
    package static func stray(outside tables: [String]) -> NamedQuery<String> {
        let conditions = tables.map { "AND NOT EXISTS (SELECT 1 FROM \($0) l WHERE l.id = e.license_id)" }
        let text = """
            SELECT tenant || ' ' || sequence FROM events e
            WHERE license_id IS NOT NULL \(conditions.joined(separator: " ")) LIMIT 100
            """
        return NamedQuery<String>("stray events", touches: [table.shape], sqlite: text, postgres: text) {
            row in
            try row.next()
        }
    }
}
