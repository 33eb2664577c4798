import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `A declared table on PostgreSQL` {
    let server: PostgresServer
    init() throws { server = try PostgresServer.shared.get() }

    private let ada = Owner(id: 1, domain: "ada.example", email: "Ada@Example", isOpen: true)
    private let bob = Owner(id: 2, domain: "bob.example", email: nil, isOpen: false)

    @Test func `saved rows are read back, including nulls, empty texts and control characters`() async throws {
        let (store, _) = try await server.makeGeneric()
        let odd = Owner(id: -3, domain: "", email: "a\0b\u{10FFFF}c\u{F0000}", isOpen: false)
        let items = [Item.make(1, of: -3, "x\0", at: .min, digest: 5, ended: .max), .make(2, of: 1, "")]
        let right = Right(owner: 1, kind: "k", amount: .max)
        try await store.perform(
            Transaction {
                TransactionResult((), [ada, odd].map(RowWrite.insert) + items.map(RowWrite.insert) + [.insert(right)])
            })
        #expect(try await store.all(Owner.table.all) == [odd, ada])
        #expect(try await store.all(Item.table.all) == items)
        #expect(try await store.all(Right.table.all) == [right])
        let results = try await store.fetch(ActivationQueryPlan.plan.bind(.init(domain: "", label: "x\0")))
        #expect(results[ActivationQueryPlan.plan.queries.owner] == odd)
        await store.close()
    }

    @Test func `rows are found by keys, by sets, and by columns of other rows`() async throws {
        let (store, _) = try await server.makeGeneric()
        let items = (1...4).map { Item.make(UInt64($0), of: 1, "l\($0 % 2)", at: Int64($0)) }
        let ended = Item.make(9, of: 1, "l1", at: 9, ended: 10)
        try await store.perform(
            Transaction {
                TransactionResult((), [.insert(ada), .insert(bob), .insert(ended)] + items.map(RowWrite.insert))
            })
        let rights = ["a", "b"].map { Right(owner: 1, kind: $0, amount: 1) }
        try await store.perform(
            Transaction(aloneForm.bind()) { _ in TransactionResult((), rights.map(RowWrite.insert)) })
        let queries = ActivationQueryPlan.plan.queries
        let activations = try await store.fetch(ActivationQueryPlan.plan.bind(.init(domain: ada.domain, label: "l1")))
        #expect(activations[queries.owner] == ada)
        #expect(activations[queries.live] == 3)
        #expect(activations[queries.own] == items[2])
        let none = try await store.fetch(ActivationQueryPlan.plan.bind(.init(domain: "none", label: "l1")))
        #expect(none[queries.owner] == nil && none[queries.live] == 0 && none[queries.own] == nil)
        let plan = ItemQueryPlan.plan
        let results = try await store.fetch(plan.bind(ended.id))
        #expect(results[plan.queries.item] == ended)
        #expect(results[plan.queries.owner] == ada)
        #expect(results[plan.queries.live] == [items[3], items[2]])
        #expect(results[plan.queries.rights] == rights)
        let many = try await store.fetch(
            ManyQueryPlan.plan.bind(
                .init(items: [items[2].id, ActivationID(high: 0, low: 0), items[0].id], owners: [2, 1])))
        #expect(many[ManyQueryPlan.plan.queries.items] == [items[2], items[0]])
        #expect(many[ManyQueryPlan.plan.queries.owners] == [ada, ada])
        #expect(
            many[ManyQueryPlan.plan.queries.counts] == [OwnerCount(owner: 1, count: 5), OwnerCount(owner: 2, count: 0)])
        let folded = QueryPlan(for: String?.self) { query in query.row(Owner.byEmail) { [.of($0)] } }
        let found = try await store.fetch(folded.bind(ada.email))
        #expect(found[folded.queries] == ada)
        let null = try await store.fetch(folded.bind(nil))
        #expect(null[folded.queries] == nil)
        await store.close()
    }

    @Test func `the error of a refused write names the duplicate key, or says that other rows use the row`()
        async throws
    {
        let (store, _) = try await server.makeGeneric()
        try await store.perform(
            Transaction {
                TransactionResult((), [.insert(ada), .insert(bob), .insert(Item.make(1, of: 1, "a", digest: 1))])
            })
        let twin = Owner(id: 1, domain: "x", email: nil, isOpen: true)
        let sameDomain = Owner(id: 5, domain: "ada.example", email: nil, isOpen: true)
        let sameDigest = Item.make(2, of: 1, "b", digest: 1)
        for (save, key) in [
            (RowWrite.insert(twin), "gen_owners.key"), (.insert(sameDomain), "gen_owners.domain"),
            (.insert(sameDigest), "gen_items.by_digest"),
            (.replace(bob, by: sameDomain.with(id: 2)), "gen_owners.domain"),
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await store.perform(Transaction { TransactionResult((), [save]) })
            }
            #expect(error?.code == .taken && error?.taken == key, "\(String(describing: error))")
        }
        let plan = OwnerQueryPlan.plan
        let error = await #expect(throws: StoreError.self) {
            try await store.perform(
                Transaction(plan.bind(1)) { results in
                    TransactionResult((), results[plan.queries.owner].map { [.remove($0)] } ?? [])
                })
        }
        #expect(error?.code == .inUse)
        let gone = await #expect(throws: StoreError.self) {
            try await store.perform(
                Transaction { TransactionResult((), [.replace(twin.with(id: 77), by: sameDomain.with(id: 77))]) })
        }
        #expect(gone?.code == .failed)
        let orphan = await #expect(throws: StoreError.self) {
            try await store.perform(Transaction { TransactionResult((), [.insert(Item.make(8, of: 99, "b"))]) })
        }
        #expect(orphan?.code == .failed)
        #expect(try await store.all(Owner.table.all) == [ada, bob])
        await store.close()
    }

    @Test func `a change can remove a row and insert one with the same unique value`() async throws {
        let (store, _) = try await server.makeGeneric()
        try await store.perform(Transaction { TransactionResult((), [.insert(ada)]) })
        try await store.perform(
            Transaction { [ada] in TransactionResult((), [.remove(ada), .insert(ada.with(id: 9))]) })
        #expect(try await store.all(Owner.table.all) == [ada.with(id: 9)])
        await store.close()
    }

    @Test func `a change that can't be saved doesn't affect concurrent changes`() async throws {
        let (store, _) = try await server.makeGeneric()
        try await store.perform(Transaction { TransactionResult((), [.insert(ada)]) })
        let plan = OwnerQueryPlan.plan
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    // Two changes use each ID. The second change finds the row that the first one inserted.
                    let wanted = Owner(id: Int64(number / 2 + 10), domain: "d\(number)", email: nil, isOpen: true)
                    let domain = number == 7 ? "ada.example" : wanted.domain
                    do {
                        return try await store.perform(
                            Transaction(plan.bind(wanted.id)) { results in
                                results[plan.queries.owner] == nil
                                    ? TransactionResult(true, [.insert(wanted.with(domain: domain))])
                                    : TransactionResult(false)
                            })
                    } catch {
                        #expect(number == 7 && (error as? StoreError)?.taken == "gen_owners.domain", "\(error)")
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(outcomes == 20)
        #expect(try await store.all(Owner.table.all).count == 21)
        await store.close()
    }

    @Test func `concurrent appends number the entries of each journal without gaps`() async throws {
        let (store, _) = try await server.makeGeneric()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await store.perform(
                        Transaction {
                            TransactionResult(
                                (),
                                [1, 2, 1].map { journal in
                                    .append(
                                        Entry(
                                            journal: journal, number: 0, text: "of \(journal)", owner: Int64(number)))
                                })
                        })
                }
            }
            try await group.waitForAll()
        }
        let entries = try await store.all(Entry.table.all)
        let (twice, once) = (entries.filter { $0.journal == 1 }, entries.filter { $0.journal == 2 })
        #expect(twice.map(\.number) == (1...100).map { Int64($0) })
        #expect(once.map(\.number) == (1...50).map { Int64($0) })
        for pair in stride(from: 0, to: 100, by: 2) { #expect(twice[pair].owner == twice[pair + 1].owner) }
        #expect(entries.allSatisfy { $0.text == "of \($0.journal)" })
        #expect(try await store.all(Journal.table.all) == [Journal(id: 1, last: 100), Journal(id: 2, last: 50)])
        await store.close()
    }

    @Test func `concurrent exclusive transactions of two servers on one row lose no update`() async throws {
        let (store, url) = try await server.makeGeneric()
        let other = try await PostgresStore.open(.tenure, url: url)
        let plan = QueryPlan(isAlone: true) { query in query.row(Version.table.key) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await [store, other][number % 2].perform(
                        Transaction(plan.bind()) { results in
                            guard let version = results[plan.queries] else { return TransactionResult(()) }
                            return TransactionResult((), [.replace(version, by: Version(version: version.version + 1))])
                        })
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.all(Version.table.all) == [Version(version: 40)])
        for store in [store, other] { await store.close() }
    }

    @Test func `a query lock bounds the number of rows that concurrent changes insert`() async throws {
        let (store, url) = try await server.makeGeneric()
        let other = try await PostgresStore.open(.tenure, url: url)
        try await store.perform(Transaction { [ada, bob] in TransactionResult((), [.insert(ada), .insert(bob)]) })
        let turns = (
            QueryLock([.integer], postgres: "SELECT w.owner + 1000 FROM unnest($1::bigint[]) AS w (owner)"),
            QueryLock(
                [.text, .integer], postgres: "SELECT length(a) + b FROM unnest($1::text[], $2::bigint[]) AS w (a, b)")
        )
        let plan = QueryPlan(for: Int64.self) { query in
            query.hold(turns.1) { _ in [.of("abc"), .of(7 as Int64)] }
            query.hold(turns.0) { [.of($0)] }
            return query.count(Item.live, upTo: 9) { [.of($0)] }
        }
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let owner = Int64(number % 3 == 0 ? 2 : 1)
                    return try await [store, other][number % 2].perform(
                        Transaction(plan.bind(owner)) { results in
                            if results[plan.queries] >= 5 { return TransactionResult(false) }
                            return TransactionResult(true, [.insert(Item.make(UInt64(number), of: owner, "g"))])
                        })
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 10)
        #expect(try await store.all(Item.table.all).count == 10)
        for store in [store, other] { await store.close() }
    }

    @Test func `each of 300 concurrent queries gets its own result`() async throws {
        let (store, _) = try await server.makeGeneric()
        let items = (0..<200).map { Item.make(UInt64($0), of: 1, "l\($0)", at: Int64($0)) }
        try await store.perform(
            Transaction { [ada] in TransactionResult((), [.insert(ada)] + items.map(RowWrite.insert)) })
        let plan = ActivationQueryPlan.plan
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let results = try await store.fetch(plan.bind(.init(domain: "ada.example", label: "l\(number)")))
                    #expect(results[plan.queries.own] == (number < 200 ? items[number] : nil))
                    #expect(results[plan.queries.live] == 3)
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }

    @Test func `a lossy update inserts a row or increases its value, and never decreases it`() async throws {
        let (store, _) = try await server.makeGeneric()
        let journals = (1...3).map { Journal(id: $0, last: 10) }
        try await store.perform(Transaction { TransactionResult((), journals.map(RowWrite.insert)) })
        let raises: [(key: Int64, value: Int64)] = [(4, 50), (2, 9), (1, 11)]
        try await store.note(LossyUpdate(Journal.table, raises))
        #expect(try await store.all(Journal.table.all).map(\.last) == [11, 10, 10, 50])
        await store.close()
    }

    @Test func `rows copied into a store twice are stored once, and later entries get higher numbers`() async throws {
        let (store, _) = try await server.makeGeneric()
        let entries = [3, 7].map { Entry(number: $0, text: "old", owner: 1) }
        let rights = [Right(owner: 1, kind: "a", amount: 5)]
        for _ in 0..<2 {
            try await store.adopt([ada, bob].map(stored), of: Owner.table.shape)
            try await store.adopt([stored(Journal(id: 1, last: 7))], of: Journal.table.shape)
            try await store.adopt(entries.map(stored), of: Entry.table.shape)
            try await store.adopt(rights.map(stored), of: Right.table.shape)
            try await store.adopt([stored(Version(version: 12))], of: Version.table.shape)
        }
        try await store.adopt([stored(bob.with(domain: "new"))], of: Owner.table.shape)
        try await store.perform(
            Transaction { TransactionResult((), [.append(Entry(number: 0, text: "new", owner: 1))]) })
        #expect(try await store.all(Entry.table.all).map(\.number) == [3, 7, 8])
        #expect(try await store.all(Owner.table.all) == [ada, bob.with(domain: "new")])
        #expect(try await store.all(Version.table.all) == [Version(version: 12)])
        let error = await #expect(throws: StoreError.self) {
            try await store.adopt([stored(ada.with(id: 5))], of: Owner.table.shape)
        }
        #expect(error?.taken == "gen_owners.domain")
        let moment = try await store.snapshot()
        try await store.perform(
            Transaction { TransactionResult((), [.append(Entry(number: 0, text: "newer", owner: 1))]) })
        #expect(try await moment.count(of: Entry.table.shape) == 3)
        #expect(try await moment.page(of: Entry.table.shape, after: stored(entries[0]), limit: 5).count == 2)
        await moment.end()
        await store.close()
    }

    @Test func `rows are listed in pages, backwards, and with filters`() async throws {
        let (store, _) = try await server.makeGeneric()
        let items = (1...5).map { Item.make(UInt64($0), of: 1, "l\($0)", at: Int64($0 % 2)) }
        try await store.perform(
            Transaction { [ada] in TransactionResult((), [.insert(ada)] + items.map(RowWrite.insert)) })
        let order = [5, 3, 1, 4, 2]
        var cursor: [StoredValue] = []
        var found: [Item] = []
        for _ in 0..<3 {
            let page = try await store.list(Listing(Item.live, [.of(1 as Int64)], after: cursor, limit: 2))
            found += page
            if let last = page.last { cursor = [.of(last.at), .of(last.id)] }
        }
        #expect(found == order.map { items[$0 - 1] })
        let back = try await store.list(
            Listing(
                Item.live, [.of(1 as Int64)],
                where: [
                    [.equals("label", "l4")], [Comparison("at", .atLeast(.of(1))), Comparison("label", .begins("l"))],
                ],
                isBackwards: true, limit: 10))
        #expect(back == [4, 1, 3, 5].map { items[$0 - 1] })
        #expect(try await store.view(itemsOfOwners, [.of(1 as Int64)]) == [OwnerCount(owner: 1, count: 5)])
        await store.close()
    }

    @Test func `a difference between a table and its declaration is reported as a schema fault`() async throws {
        let (store, url) = try await server.makeGeneric()
        let tables = [Owner.table.shape, Item.table.shape, Right.table.shape, Entry.table.shape, Version.table.shape]
        let sets = [Owner.byEmail.shape, Item.live.shape, Item.liveOfLabel.shape, Right.ofOwner.shape]
        #expect(try await store.schemaFaults(of: tables, sets: sets) == [])
        try server.sql(
            "ALTER TABLE gen_items ALTER label DROP NOT NULL; DROP INDEX gen_owners_by_email; DROP TABLE gen_rights",
            in: url)
        #expect(try await store.schemaFaults(of: tables, sets: sets).count >= 3)
        #expect(try await store.integrityFaults(of: nil) == [])
        await store.close()
    }
}

private let aloneForm = QueryPlan(isAlone: true) { _ in }

/// Returns a row in the form that engines store.
private func stored(_ row: some Stored) -> StoredRow {
    guard let row = RowWrite.insert(row).after else { preconditionFailure("an insert has a row") }
    return row
}

extension Owner {
    func with(id: Int64? = nil, domain: String? = nil) -> Owner {
        var owner = self
        owner.id = id ?? owner.id
        owner.domain = domain ?? owner.domain
        return owner
    }
}
