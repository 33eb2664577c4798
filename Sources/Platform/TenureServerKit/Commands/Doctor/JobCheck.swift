import TenureStore

/// Checks for failed background jobs.
enum JobCheck {
    static func run(_ store: any Store) async -> Finding {
        do throws(StoreError) {
            let failed = try await store.jobs([.failed], limit: most)
            guard let first = failed.first else {
                let open = try await store.jobs([.running, .waiting], limit: most)
                return .ok(
                    "jobs", open.count == most ? "\(most) or more are open" : "\(open.count) are open, none has failed")
            }
            let kinds = Set(failed.map(\.kind)).sorted().joined(separator: ", ")
            return .warning(
                "jobs",
                "\(failed.count == most ? "\(most) or more" : "\(failed.count)") failed permanently (\(kinds)), "
                    + "the first at \(first.dueAt)",
                cure: "Run `tenure job list --state failed`. Once the cause is fixed, run `tenure job retry JOB`.")
        } catch {
            return .failure("jobs", error)
        }
    }

    private static let most = 1_000
}
