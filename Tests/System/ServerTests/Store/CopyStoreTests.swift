import Synchronization
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureSQLite
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

@Suite struct CopyStoreTests {
    @Test func `a server on a copied store validates devices under the same master key`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let copy = try SQLiteStore.inMemory(.tenure)
        #expect(
            try await copying(vendor.store, to: copy).parts?.map(\.rows) == [
                7, 2, 0, 1, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0,
            ])
        let server = try await LicenseServer(
            .tenure, store: copy, master: vendor.master, clock: vendor.clock, log: vendor.log,
            facts: ServerFacts(version: "test"), stopwatch: { 0 })
        let answer = Answer(
            await server.handler.respond(
                to: .init(
                    method: "POST", path: "/acme/notes/validate", headers: ["Content-Type": "application/json"],
                    body: Array(#"{"license_key":"NOTE-PRO0-0000-0001","instance_id":"\#(instance)"}"#.utf8),
                    id: "r1")))
        #expect(answer.status == 200)
        let kid = try #require(await vendor.store.signingKeys().first).kid
        #expect(answer.lease("kid") == .string(kid))
    }

    @Test func `copying again to a finished copy writes nothing`() async throws {
        let source = try await Vendor().store
        let copy = try SQLiteStore.inMemory(.tenure)
        let first = try await copying(source, to: copy)
        #expect(try await copying(source, to: copy) == .alreadyThere(try #require(first.parts)))
        #expect(try await UnfinishedCopy.isThere(in: copy) == false)
    }

    @Test func `a store copy omits the reports of running servers`() async throws {
        let source = try await Vendor().store
        try await set("server.0123456789abcdef", Array("1800000000 key false process 1 on alpha".utf8), in: source)
        let copy = try SQLiteStore.inMemory(.tenure)
        let first = try await copying(source, to: copy)
        #expect(try await copy.setting("server.0123456789abcdef") == nil)
        #expect(try await copying(source, to: copy) == .alreadyThere(try #require(first.parts)))
    }

    @Test func `a copy to a store with other data is refused and changes nothing`() async throws {
        let source = try await Vendor().store
        let taken = try SQLiteStore.inMemory(.tenure)
        try await set("somebody's", [1], in: taken)
        #expect(try await copying(source, to: taken) == .targetIsTaken)
        #expect(try await taken.setting("somebody's") == [1])
        #expect(try await taken.catalog().tenants.isEmpty)
    }

    @Test func `copying again to a finished copy that was changed is refused and changes nothing`() async throws {
        let vendor = try await Vendor()
        let copy = try SQLiteStore.inMemory(.tenure)
        _ = try await copying(vendor.store, to: copy)
        let license = try #require(
            try await copy.licenses(LicenseFilter(now: vendor.clock.now()), after: nil, limit: 1).rows.first)
        let changed = License(
            id: license.id, product: license.product, key: license.key,
            terms: LicenseTerms(policy: license.policy, holder: "somebody", term: license.term),
            recordedState: license.recordedState, issuedAt: license.issuedAt,
            firstActivatedAt: license.firstActivatedAt)
        try await copy.perform(Transaction { TransactionResult((), [.replace(license, by: changed)]) })
        #expect(try await copying(vendor.store, to: copy) == .targetIsTaken)
        #expect(try await copy.licenses(matching: LicenseName(.id(license.id))) == [changed])
    }

    @Test func `an interrupted copy is completed even if its source has changed`() async throws {
        let vendor = try await Vendor()
        try await set(StoreID.setting, [1, 2, 3], in: vendor.store)
        let answer = IdempotentResponse(
            key: try #require(Digest(SHA256.hash([1]))), fingerprint: try #require(Digest(SHA256.hash([2]))),
            records: [], actor: .time, sealed: [3], at: vendor.clock.now())
        let job = Job(id: "job_1", kind: "test", tenant: nil, dueAt: vendor.clock.now(), payload: "{}")
        try await vendor.store.perform(Transaction { TransactionResult((), [.insert(answer), .insert(job)]) })
        for interruptedAfter in 0...8 {
            let copy = try SQLiteStore.inMemory(.tenure)
            try await set(UnfinishedCopy.setting, SHA256.hash([1, 2, 3]), in: copy)
            let snapshot = try await vendor.store.snapshot()
            for table in StoreSchema.tenure.tables.prefix(3 * interruptedAfter) {
                try await copy.adopt(try await snapshot.page(of: table, after: nil, limit: 1_000), of: table)
            }
            await snapshot.end()
            _ = await vendor.activate("NOTE-PRO0-0000-0001", hash: String(repeating: "ab", count: 32))
            _ = try await RetentionSweep.answers.removeBatch(in: vendor.store, where: []) { _ in true }
            _ = try await RetentionSweep.jobs.removeBatch(in: vendor.store, where: []) { _ in true }
            let outcome = try await copying(vendor.store, to: copy)
            #expect(outcome.parts != nil, "after \(interruptedAfter) pages: \(outcome)")
            #expect(try await UnfinishedCopy.isThere(in: copy) == false)
            #expect(try await copying(vendor.store, to: copy) == outcome.parts.map(CopyStore.Outcome.alreadyThere))
        }
    }

    @Test func `copying to an unfinished copy of another store is refused and changes nothing`() async throws {
        let source = try await Vendor().store
        let copy = try SQLiteStore.inMemory(.tenure)
        try await set(UnfinishedCopy.setting, SHA256.hash([9]), in: copy)
        #expect(try await copying(source, to: copy) == .targetIsAnotherCopy)
        #expect(try await copy.catalog().tenants.isEmpty)
    }

    @Test func `copying from an unfinished copy is refused`() async throws {
        let source = try await Vendor().store
        try await set(UnfinishedCopy.setting, [1], in: source)
        let copy = try SQLiteStore.inMemory(.tenure)
        #expect(try await copying(source, to: copy) == .sourceIsUnfinished)
        #expect(try await UnfinishedCopy.isThere(in: copy) == false)
    }

    @Test func `a copy that differs from its source stays unfinished, and the result names the table`() async throws {
        let source = try await Vendor().store
        let copy = try SQLiteStore.inMemory(.tenure)
        try await set(UnfinishedCopy.setting, SHA256.hash([]), in: copy)
        try await set("left over", [1], in: copy)
        guard case .differs(let wanted, let kept) = try await copying(source, to: copy) else {
            Issue.record("a row that the source doesn't have went unnoticed")
            return
        }
        #expect(zip(wanted, kept).filter { $0 != $1 }.map(\.0.part) == ["settings"])
        #expect(try await UnfinishedCopy.isThere(in: copy))
    }

    @Test func `a store copy reports the number of rows that it has copied, then of those that it has compared`()
        async throws
    {
        let source = try await Vendor().store
        let told = Mutex<[(CopyStore.Step, Int, Int)]>([])
        _ = try await CopyStore(
            from: source, to: try SQLiteStore.inMemory(.tenure), tables: StoreSchema.tenure.tables
        ).copy {
            step, done, total in
            told.withLock { $0.append((step, done, total)) }
        }
        let all = told.withLock { $0 }
        #expect(Set(all.map(\.2)) == [19])
        for step in [CopyStore.Step.copying, .comparing] {
            let done = all.filter { $0.0 == step }.map(\.1)
            #expect(done == done.sorted() && done.last == 19)
        }
        #expect(all.first?.0 == .copying && all.last?.0 == .comparing)
    }

    private func copying(_ source: any Store, to target: any Store) async throws -> CopyStore.Outcome {
        try await CopyStore(from: source, to: target, tables: StoreSchema.tenure.tables).copy(report: { _, _, _ in })
    }

    private static let setting = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] }
    }

    private func set(_ name: String, _ value: [UInt8], in store: any Store) async throws {
        let plan = Self.setting
        try await store.perform(
            Transaction(plan.bind(name)) { results in
                TransactionResult((), [.put(SettingRecord(name: name, value: value), over: results[plan.queries])])
            })
    }
}

extension CopyStore.Outcome {
    fileprivate var parts: [PartDigest]? {
        if case .copied(let parts) = self { parts } else { nil }
    }
}
