import TenureCommandLine
import TenureCore
import TenureStore

extension Attention {
    /// Jobs that failed permanently.
    static let failedJobs = Attention(
        "failed_jobs", subject: "jobs",
        remedy: "Run `tenure job list --state failed`. Once the cause is fixed, run `tenure job retry JOB`.",
        sentence: { all, number in
            "\(number) failed permanently (\(all.details.sorted().joined(separator: ", "))), the first at \(all.oldest.local)"
        },
        read: { store, _ throws(StoreError) in
            var items: [Item] = []
            for job in try await store.jobs([.failed], limit: most) {
                items.add(job.tenant, since: job.dueAt, job.kind)
            }
            return items
        })
}
