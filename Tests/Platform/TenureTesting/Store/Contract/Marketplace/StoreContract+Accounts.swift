import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let accounts: [Case] = [
        Case("an account is read back unchanged within its tenant, and can be updated") { store in
            try await store.saveCatalog()
            let plain = Account(ref: Sample.ref(Sample.bob), createdAt: Sample.now)
            let full = Account(
                ref: Sample.ref(Sample.ada), email: "Ada@Exämple.com", passwordHash: "$argon2id$v=19$…",
                createdAt: Sample.now)
            try await store.save([.account(plain), .account(full)])
            try expectEqual(try await store.account(plain.ref), plain)
            try expectEqual(try await store.account(full.ref), full)
            try expectEqual(try await store.account(Sample.ref(Sample.ada, tenant: Sample.bolt)), nil)
            try expectEqual(try await store.load(RowQueryPlans.account, full.ref), full)
            let nobody = Sample.ref(Sample.ada, tenant: Sample.bolt)
            try expectEqual(try await store.load(RowQueryPlans.account, nobody), nil)
            var changed = full
            changed.email = nil
            changed.passwordHash = "other"
            try await store.save([.account(changed)])
            try expectEqual(try await store.account(full.ref), changed)
        },
        Case("accounts are listed in the byte order of their ids, and paged by cursor and limit") { store in
            try await store.saveCatalog()
            let names = ["Zoe", "ada", "ada lovelace", "bob", "Ärger", "🌍"].map(Sample.account)
            try await store.save(
                names.reversed().map { .account(Account(ref: Sample.ref($0), createdAt: Sample.now)) }
                    + [.account(Account(ref: Sample.ref(Sample.ada, tenant: Sample.bolt), createdAt: Sample.now))])
            let all = try await store.accounts(of: Sample.acme, after: nil, limit: 100)
            try expectEqual(all.map(\.ref.account), names.sorted())
            let page = try await store.accounts(of: Sample.acme, after: names.sorted()[1], limit: 2)
            try expectEqual(page.map(\.ref.account), Array(names.sorted()[2...3]))
            try expectEqual(try await store.accounts(of: Sample.bolt, after: nil, limit: 100).count, 1)
        },
        Case("an account is found by any spelling of its e-mail address, unless several accounts have it") { store in
            try await store.saveCatalog()
            func account(_ name: String, _ email: String?) -> Put {
                .account(Account(ref: Sample.ref(Sample.account(name)), email: email, createdAt: Sample.now))
            }
            try await store.save([
                account("a", "Ada@Example.com"), account("b", "bob@example.com"), account("c", "BOB@example.com"),
                account("d", "é@example.com"), account("e", nil),
            ])
            let table: [(String, String?)] = [
                ("ada@example.COM", "a"), ("bob@example.com", nil), ("É@example.com", "d"),
                ("e\u{301}@EXAMPLE.com", "d"),
                (" ada@example.com ", "a"),
                ("", nil), ("%", nil), ("nobody@example.com", nil),
            ]
            for (email, expected) in table {
                let found = try await store.account(email: email, of: Sample.acme)
                try expectEqual(found?.ref.account.text, expected)
            }
            try expectEqual(try await store.account(email: "ada@example.com", of: Sample.bolt), nil)
        },
        Case("an account's credential is read back unchanged, before and after it has ended") { store in
            try await store.save(Sample.marketCatalog)
            for (index, kind) in AccountCredential.Kind.allCases.enumerated() {
                var credential = Sample.credential(
                    index, kind: kind, of: Sample.bob, expiresAt: index == 0 ? nil : Sample.now)
                try await store.save([.credential(credential)])
                try expectEqual(try await store.credential(credential.hash), credential)
                credential.endedAt = Sample.now
                try await store.save([.credential(credential)])
                try expectEqual(try await store.credential(credential.hash), credential)
                try expectEqual(try await store.load(RowQueryPlans.credential, credential.hash), credential)
            }
            try expectEqual(try await store.credential(Sample.hash(99)), nil)
            try expectEqual(try await store.load(RowQueryPlans.credential, Sample.hash(99)), nil)
        },
        Case("only accounts' credentials that expired or ended before the given time are deleted") { store in
            let before = Sample.now.adding(seconds: -1)
            try await store.save(
                Sample.marketCatalog + [
                    .credential(Sample.credential(1, expiresAt: before)),
                    .credential(Sample.credential(2, endedAt: before)),
                    .credential(Sample.credential(3, expiresAt: Sample.now.adding(days: 1), endedAt: before)),
                    .credential(Sample.credential(4, expiresAt: Sample.now)), .credential(Sample.credential(5)),
                    .credential(Sample.credential(6, endedAt: Sample.now)),
                ])
            try await store.forgetCredentials(before: Sample.now)
            var left: [Int] = []
            for number in 1...6 where try await store.credential(Sample.hash(number)) != nil { left.append(number) }
            try expectEqual(left, [4, 5, 6])
        },
        Case("of concurrent uses of an account's link on several servers, exactly one opens a session") { _, subject in
            try await subject.withShared { stores in
                try await stores[0].save(Sample.marketCatalog)
                for link in 0..<12 {
                    try await stores[0].save([.credential(Sample.credential(link))])
                    let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                        for number in 0..<16 {
                            group.addTask {
                                try await stores[number % stores.count].openSession(
                                    with: Sample.hash(link),
                                    Sample.credential(100 * link + 100 + number, kind: .session))
                            }
                        }
                        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                    }
                    try expectEqual(opened, 1)
                    try expectEqual(try await stores[0].credential(Sample.hash(link))?.endedAt, Sample.now)
                }
            }
        },
        Case("of concurrent additions of one account on several servers, exactly one succeeds") { _, subject in
            try await subject.withShared { stores in
                try await stores[0].saveCatalog()
                let ref = Sample.ref(Sample.ada)
                let plan = RowQueryPlans.account
                let added = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            try await stores[number % stores.count].perform(
                                Transaction(plan.bind(ref)) { results in
                                    guard results[plan.queries] == nil else { return TransactionResult(false) }
                                    return TransactionResult(true, [.insert(Account(ref: ref, createdAt: Sample.now))])
                                })
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try expectEqual(added, 1)
            }
        },
        Case("an account's app grants are listed by app, including ended ones, and can be updated") { store in
            try await store.save(Sample.marketCatalog)
            let game = Sample.grant(end: Sample.now)
            let ended = Sample.grant(Sample.chess, endedAt: Sample.now)
            try await store.save([
                .appGrant(ended), .appGrant(game), .appGrant(Sample.grant(to: Sample.bob)),
            ])
            try expectEqual(try await store.appGrants(of: Sample.ref(Sample.ada)), [game, ended])
            let again = Sample.grant(Sample.chess)
            try await store.save([.appGrant(again)])
            try expectEqual(try await store.appGrants(of: Sample.ref(Sample.ada)), [game, again])
            try expectEqual(try await store.appGrants(of: Sample.ref(Sample.ada, tenant: Sample.bolt)), [])
        },
    ]
}

extension Store {
    /// Uses a sign-in link and opens a session. Returns false if the link no longer works.
    fileprivate func openSession(
        with link: Digest, _ session: AccountCredential
    ) async throws(StoreError) -> Bool {
        let plan = RowQueryPlans.credential
        return try await perform(
            Transaction(plan.bind(link)) { results in
                guard let link = results[plan.queries], link.works(at: Sample.now) else {
                    return TransactionResult(false)
                }
                var used = link
                used.endedAt = Sample.now
                return TransactionResult(true, [.replace(link, by: used), .insert(session)])
            })
    }
}
