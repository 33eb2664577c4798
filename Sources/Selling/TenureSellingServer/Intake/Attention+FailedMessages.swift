import TenureCommandLine
import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension Attention {
    /// Messages, such as sales, that have been waiting for over an hour because the provider's API fails.
    static let lateMessages = Attention(
        "late_messages", subject: "payments",
        remedy:
            "Check the source's API key and the provider's status. The server tries again automatically; `tenure intake list "
            + "--tenant TENANT --state waiting` shows the messages, and `tenure intake retry` tries one at once.",
        sentence: { all, number in
            let details = all.details.sorted().prefix(3).joined(separator: "; ")
            return
                "\(number) messages from payment providers, such as sales, can't be acted on for over an hour (\(details)), "
                + "the first since \(all.oldest.local)"
        },
        read: { store, now throws(StoreError) in
            let plan = PaymentMessagePlans.several
            var failures: [PaymentMessageID: String] = [:]
            for state in [Job.State.waiting, .running] {
                let jobs = try await store.list(
                    Listing(
                        Job.ofKind, [.of(JobName.paymentMessage.text), .of(state)],
                        where: [[Comparison("failures", .above(.of(0)))]], limit: most))
                for job in jobs {
                    if let id = PaymentMessage.id(ofJob: job.id) { failures[id] = job.failure ?? "it takes too long" }
                }
            }
            if failures.isEmpty { return [] }
            let messages = try await store.fetch(plan.bind(failures.keys.sorted()))[plan.queries]
            var items: [Item] = []
            for message in messages where message.state == .waiting && message.changedAt.seconds + delay <= now.seconds
            {
                items.add(message.tenant, since: message.changedAt, "\(message.source): \(failures[message.id] ?? "-")")
            }
            return items
        })

    /// How long a message may wait before it is reported to an operator, in seconds: an hour.
    private static let delay: Int64 = 3_600
}
