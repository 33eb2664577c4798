import TenureCore
import TenureSQLite
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// The states of letters after an older copy of their store has been restored.
@Suite struct RestoredMailTests {
    private let copy: any Store
    private let later: any Store
    private let now = Timestamp(seconds: 1_800_000_000)
    private let acme: TenantID = .sample

    init() throws {
        copy = try SQLiteStore.inMemory(.tenure)
        later = try SQLiteStore.inMemory(.tenure)
    }

    private func letter(_ number: Int64, after seconds: Int64 = 0) throws -> Mail {
        Mail(
            try #require(MailID(number: number)), kind: MailKind.Name("keys"), to: "ada@shop.example", in: .english,
            of: acme, by: Tenant.MailSettings(from: "keys@acme.example"), at: now.adding(seconds: seconds))
    }

    private func save(_ mails: Mail..., in store: any Store) async throws {
        let plan = Self.alone
        let tenant = RowWrite.insert(TenantRow(id: acme, name: "Acme"))
        try await store.perform(
            Transaction(plan.bind()) { _ in TransactionResult((), [tenant] + mails.map { .insert($0) }) })
    }

    private static let alone = QueryPlan(isAlone: true) { query in query.row(CatalogVersion.table.key) }

    private func states() async throws -> [Mail.State] { try await copy.all(Mail.table.all).map(\.state) }

    @Test func `a restored copy doesn't send letters that the replaced store has sent or removed`() async throws {
        let (sent, waiting, removed) = (try letter(1), try letter(2), try letter(3))
        try await save(sent, waiting, removed, in: copy)
        try await save(sent.ended(.sent, "250 OK", at: now.adding(seconds: 5)), waiting, in: later)
        let outcome = try await RestoreReplay(FeatureSet.tenure.restoreExclusions).replay(
            from: later, to: copy, at: now.adding(seconds: 9)
        ) { _, _ in }
        #expect(try await states() == [.sent, .waiting, .held])
        #expect(outcome.items.map(\.act) == ["sent", "ended"])
        #expect(outcome.items.allSatisfy { $0.kind == "letter" && !$0.name.contains("@") })
    }

    @Test func `a letter that was saved in the restored copy after the copy was made still waits to be sent`()
        async throws
    {
        let (shared, own) = (try letter(1), try letter(2, after: 5))
        try await save(shared, own, in: copy)
        try await save(in: later)
        let history = OwnHistory(of: copy, after: [:], sharedUntil: now, other: EventsSince())
        _ = try await RestoreReplay(FeatureSet.tenure.restoreExclusions).replay(
            from: later, to: copy, after: history, at: now.adding(seconds: 9)
        ) { _, _ in }
        #expect(try await states() == [.held, .waiting])
    }

    @Test func `after a restore without the replaced store, the copy's waiting letters are held`() async throws {
        let (sent, waiting) = (try letter(1), try letter(2))
        try await save(sent.ended(.sent, "250 OK", at: now), waiting, in: copy)
        try await Mail.holdWaiting(in: copy, at: now.adding(seconds: 9))
        #expect(try await states() == [.sent, .held])
    }
}
