import TenureStore

/// Checks the background jobs, unless some failed (``Attention/failedJobs``).
enum JobCheck {
    static func run(_ store: any Store) async -> Finding? {
        do throws(StoreError) {
            guard try await store.jobs([.failed], limit: 1).isEmpty else { return nil }
            let open = try await store.jobs([.running, .waiting], limit: Attention.most).count
            return .ok(
                "jobs", open == Attention.most ? "\(open) or more are open" : "\(open) are open, none has failed")
        } catch {
            return .failure("jobs", error)
        }
    }
}
