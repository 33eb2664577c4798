import TenureCommandLine
import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension Attention {
    /// Days whose events a provider no longer lists.
    static let missedEvents = Attention(
        "missed_events", subject: "payments",
        remedy:
            "Send the messages of these days again from the provider's dashboard. Then run `tenure intake catch-up SOURCE "
            + "--tenant TENANT --since DATE`, which ends this warning.",
        sentence: { all, _ in
            "providers don't list the events of some days any more (\(all.details.sorted().joined(separator: "; ")))"
        },
        read: { store, _ throws(StoreError) in
            var items: [Item] = []
            for job in try await store.catchUps {
                guard let work = CatchUpWork(job), let gap = work.progress.gap else { continue }
                items.add(job.tenant, since: gap.from, "\(work.source): \(gap.from.local) to \(gap.until.local)")
            }
            return items
        })

    /// Providers whose list of events can't be read.
    static let failedCatchUps = Attention(
        "failed_catch_ups", subject: "payments",
        remedy:
            "Check the source's API key and the provider's status. It's tried again every hour; `tenure job list --kind "
            + "selling.catch_up` shows the last failure.",
        sentence: { all, _ in
            "a provider's list of events can't be read (\(all.details.sorted().joined(separator: "; "))); everything until "
                + "\(all.oldest.local) has been read"
        },
        read: { store, _ throws(StoreError) in
            var items: [Item] = []
            for job in try await store.catchUps where job.failures > quickAttempts {
                guard let work = CatchUpWork(job) else { continue }
                items.add(
                    job.tenant, since: work.progress.readUntil, "\(work.source): \(job.failure ?? "it takes too long")")
            }
            return items
        })

    /// How many failures aren't reported, because the next attempt follows soon.
    private static let quickAttempts = 2
}

extension Store {
    /// The jobs that read providers' lists of events, at most ``Attention/most`` in each state.
    fileprivate var catchUps: [Job] {
        get async throws(StoreError) {
            var jobs: [Job] = []
            for state in Job.State.allCases {
                jobs += try await list(
                    Listing(Job.ofKind, [.of(JobName.catchUp.text), .of(state)], limit: Attention.most))
            }
            return jobs
        }
    }
}
