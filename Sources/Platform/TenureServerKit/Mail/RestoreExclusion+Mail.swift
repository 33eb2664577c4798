import TenureCore
import TenureStore

extension RestoreExclusion {
    /// A letter that waits in a restored copy isn't sent if the later store has or may have sent it.
    static let mails = RestoreExclusion(
        "letter", of: Mail.self, named: \.id.description,
        gone: { copied, now, sharedUntil in
            // The later store had the letter and has deleted it, so the letter was sent or given up at least 90 days
            // ago.
            let isShared = sharedUntil.map { copied.createdAt <= $0 } ?? true
            return copied.state == .waiting && isShared ? copied.ended(.held, at: now) : nil
        },
        decide: { copied, later, _ in
            guard copied.state == .waiting, later.state != .waiting, copied.messageID == later.messageID else {
                return nil
            }
            return (later, [later.state.rawValue])
        })
}

extension RestoreAddition {
    /// Adds letters that the later store saved, such as a letter with the key of a license that is carried over.
    ///
    /// The later store may have sent a waiting letter since it was read, so the letter is held until an operator
    /// decides (`tenure mail retry`).
    static let mails: RestoreAddition = {
        var rows = AddedRows<Mail, TenantRow>(
            "letter", .silent, under: TenantRow.table.key, parent: { [.of($0.tenant)] }
        ) { .init($0.id.description, givenAt: $0.createdAt) }
        rows.adopted = { mail, now in mail.state == .waiting ? mail.ended(.held, at: now) : mail }
        return RestoreAddition(rows)
    }()
}

extension Mail {
    /// Holds the waiting letters of a restored store, because the store that it replaced may have sent them.
    ///
    /// `tenure mail retry` sends held letters.
    static func holdWaiting(in store: any Store, at now: Timestamp) async throws(StoreError) {
        while true {
            let page = try await store.list(Listing(Mail.inState, [.of(State.waiting)], limit: 1000))
            if page.isEmpty { return }
            try await store.perform(
                Transaction(letters.bind(page)) { results in
                    let waiting = results[letters.queries].filter { $0.state == .waiting }
                    return TransactionResult((), waiting.map { .replace($0, by: $0.ended(.held, at: now)) })
                })
        }
    }

    private static let letters = QueryPlan(for: [Mail].self) { query in
        query.each(Mail.table.key) { $0.flatMap(\.keyValues) }
    }
}
