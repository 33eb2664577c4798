import Synchronization
import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Runs many concurrent changes over one or two servers.
///
/// Each change appends an entry, so the order of the changes is known afterwards. The test applies the changes in this
/// order to an array model, and compares the rows that each change read.
@Suite struct `Concurrent changes on two servers` {
    /// The rows and counts that a change read.
    struct Sight: Hashable {
        var owner: Owner?
        var live: Int
        var own: Item?
        var item: Item?
        var ownerOfItem: Owner?
        var top: [Item]
        var many: [Item]
        var counts: [OwnerCount]
    }

    /// Returns `truth`, in which the rows that the change found and locked are replaced by those of `sight`.
    private func held(_ sight: Sight, beside truth: Sight) -> Sight {
        var held = truth
        if sight.owner != nil { (held.owner, held.live, held.own) = (sight.owner, sight.live, sight.own) }
        if sight.item != nil { (held.item, held.ownerOfItem, held.top) = (sight.item, sight.ownerOfItem, sight.top) }
        for item in sight.many {
            if let position = held.many.firstIndex(where: { $0.id == item.id }) {
                held.many[position] = item
            } else {
                held.many.append(item)
            }
        }
        return held
    }

    /// Queries an owner and its items in every way. Each query starts from the locked row of the owner or of an item.
    struct Form {
        let owner: RowQuery<Owner>
        let live: CountQuery
        let own: RowQuery<Item>
        let item: RowQuery<Item>
        let ownerOfItem: RowQuery<Owner>
        let top: RowsQuery<Item>

        struct Parameters {
            let domain: String
            let label: String
            let item: ActivationID
        }

        init(_ query: inout QueryBuilder<Parameters>) {
            owner = query.row(Owner.byDomain) { [.of($0.domain)] }
            live = query.count(Item.live, upTo: 3, .column("id", of: owner))
            own = query.row(Item.liveOfLabel, .column("id", of: owner), .request { .of($0.label) })
            item = query.row(Item.table.key) { [.of($0.item)] }
            ownerOfItem = query.row(Owner.table.key, .column("owner", of: item))
            top = query.rows(Item.live, upTo: 2, .column("id", of: ownerOfItem))
        }
    }

    static let plan = QueryPlan(Form.init)
    /// The same queries, plus many items and a named query.
    static let wide = QueryPlan(for: Wide.self) { query in
        (
            plan: query.part(Form.init) { $0.plan }, many: query.each(Item.table.key) { $0.many.map(StoredValue.of) },
            counts: query.view(itemsOfOwners) { $0.owners.map(StoredValue.of) }
        )
    }

    struct Wide {
        let plan: Form.Parameters
        let many: [ActivationID]
        let owners: [Int64]
    }

    struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// The parameters of a random change.
    struct Wish {
        var domain: String
        var label: String
        var item: UInt64
        var fresh: UInt64
        var at: Int64
        var act: Int
        var isWide: Bool

        init(number: UInt64, using dice: inout Dice) {
            domain = "d\(Int.random(in: 0..<4, using: &dice))"
            label = ["a", "b"].randomElement(using: &dice) ?? "a"
            item = .random(in: 0..<20, using: &dice)
            fresh = .random(in: 0..<20, using: &dice)
            at = .random(in: 0..<4, using: &dice)
            act = .random(in: 0..<5, using: &dice)
            isWide = Int.random(in: 0..<4, using: &dice) == 0
        }

        var bound: BoundQuery {
            let one = Form.Parameters(domain: domain, label: label, item: ActivationID(high: 7, low: item))
            if !isWide { return plan.bind(one) }
            let many = [item, fresh].map { ActivationID(high: 7, low: $0) }
            return wide.bind(.init(plan: one, many: many, owners: [0, 1]))
        }

        func sight(_ results: QueryResult) -> Sight {
            let queries = isWide ? wide.queries.plan : plan.queries
            return Sight(
                owner: results[queries.owner], live: results[queries.live], own: results[queries.own],
                item: results[queries.item],
                ownerOfItem: results[queries.ownerOfItem], top: results[queries.top],
                many: isWide ? results[wide.queries.many] : [], counts: isWide ? results[wide.queries.counts] : [])
        }

        func saves(_ sight: Sight) -> [RowWrite] {
            switch act {
            case 0, 1:
                guard let owner = sight.owner, sight.live < 3, sight.item == nil else { return [] }
                return [.insert(Item.make(item, of: owner.id, label, at: at))]
            case 2:
                guard let item = sight.item else { return [] }
                var after = item
                after.endedAt = item.endedAt == nil ? Timestamp(seconds: at) : nil
                after.at = Timestamp(seconds: at)
                return [.replace(item, by: after)]
            case 3:
                guard let item = sight.item else { return [] }
                return [.remove(item)]
            default:
                guard let own = sight.own else { return [] }
                var after = own
                after.label = own.label == "a" ? "b" : "a"
                return [.replace(own, by: after)]
            }
        }
    }

    final class Sights: Sendable {
        let known = Mutex<[Int64: (Wish, Sight)]>([:])
    }

    /// With one server, all results must match. With two, only the rows that a change found and locked must match.
    @Test(arguments: 0..<4, [1, 2])
    func `concurrent changes on one or two servers have the results of serial changes`(seed: Int, servers: Int)
        async throws
    {
        let server = try PostgresServer.shared.get()
        let (store, url) = try await server.makeGeneric()
        let stores = [store, try await PostgresStore.open(.tenure, url: url)]
        let owners = (0..<3).map { Owner(id: Int64($0), domain: "d\($0)", email: nil, isOpen: true) }
        try await store.perform(Transaction { TransactionResult((), owners.map(RowWrite.insert)) })
        let sights = Sights()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<24 {
                group.addTask {
                    var dice = Dice(state: UInt64(seed * 100 + worker) &* 0x9E37_79B9_7F4A_7C15)
                    for number in 0..<25 {
                        let name = Int64(worker * 1_000 + number)
                        let wish = Wish(number: UInt64(name), using: &dice)
                        do throws(StoreError) {
                            let sight = try await stores[worker % servers].perform(
                                Transaction(wish.bound) { results in
                                    let sight = wish.sight(results)
                                    return TransactionResult(
                                        sight, wish.saves(sight) + [.append(Entry(number: 0, text: "", owner: name))])
                                })
                            sights.known.withLock { $0[name] = (wish, sight) }
                        } catch {
                            // If two servers insert the same item, the second one
                            // decides again and reads the item, so no change fails.
                            Issue.record(error)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var items: [ActivationID: Item] = [:]
        let known = sights.known.withLock { $0 }
        for entry in try await store.all(Entry.table.all) {
            let (wish, sight) = try #require(known[entry.owner])
            let truth = expected(wish, owners, items)
            #expect((servers == 1 ? sight : held(sight, beside: truth)) == truth)
            for save in wish.saves(sight) { apply(save, to: &items) }
        }
        let stored = try await store.all(Item.table.all)
        #expect(Set(stored) == Set(items.values))
        for store in stores { await store.close() }
    }

    private func expected(_ wish: Wish, _ owners: [Owner], _ items: [ActivationID: Item]) -> Sight {
        func live(_ owner: Owner?) -> [Item] {
            items.values.filter { $0.owner == owner?.id && $0.endedAt == nil }.sorted {
                ($0.at.seconds, $0.id.low) > ($1.at.seconds, $1.id.low)
            }
        }
        let owner = owners.first { $0.domain == wish.domain }
        let item = items[ActivationID(high: 7, low: wish.item)]
        let ownerOfItem = item.flatMap { item in owners.first { $0.id == item.owner } }
        return Sight(
            owner: owner, live: min(live(owner).count, 3), own: live(owner).first { $0.label == wish.label },
            item: item,
            ownerOfItem: ownerOfItem, top: Array(live(ownerOfItem).prefix(2)),
            many: wish.isWide ? [wish.item, wish.fresh].compactMap { items[ActivationID(high: 7, low: $0)] } : [],
            counts: wish.isWide
                ? [0, 1].map { owner in OwnerCount(owner: owner, count: items.values.count { $0.owner == owner }) } : []
        )
    }

    private func apply(_ save: RowWrite, to items: inout [ActivationID: Item]) {
        func id(_ row: StoredRow) -> ActivationID? {
            guard case .name(let high, let low) = Item.table.shape.columns[0].value(row) else { return nil }
            return ActivationID(high: high, low: low)
        }
        if let before = save.before.flatMap(id) { items[before] = nil }
        guard let after = save.after, let name = id(after) else { return }
        let values = Item.table.shape.columns.map { $0.value(after) }
        guard case .integer(let owner) = values[1], case .text(let label) = values[2], case .integer(let at) = values[4]
        else { return }
        var item = Item.make(name.low, of: owner, label, at: at)
        if case .integer(let ended) = values[5] { item.endedAt = Timestamp(seconds: ended) }
        items[name] = item
    }
}
