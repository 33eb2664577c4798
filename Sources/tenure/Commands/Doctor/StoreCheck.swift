import TenureStore

/// Looks at the schema and the integrity of the store.
enum StoreCheck {
    static func run(_ store: any Store) async -> [Finding] {
        do throws(StoreError) {
            let faults = try await store.integrityFaults()
            guard faults.isEmpty else {
                return [
                    .failure(
                        "store", faults.joined(separator: "; "),
                        cure:
                            "Stop the server, keep the file, and put the latest copy back with `tenure restore FILE --replace`."
                    )
                ]
            }
            let census = try await store.census()
            let licenses = census.licenses.values.reduce(0, +)
            let schema = MigrationID.allCases.last?.rawValue ?? "none"
            return [
                .ok("schema", schema),
                .ok(
                    "store",
                    "sound; \(licenses) licenses, \(census.liveActivations) seats taken, latest event \(census.latestEvent)"
                ),
            ]
        } catch {
            return [.failure("store", error.message, cure: "See the message; \(error.cause ?? "no cause was told").")]
        }
    }
}
