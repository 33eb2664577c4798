import TenureCore
import TenureServerKit
import Testing

@testable import TenureLicensingServer

/// Which signing keys a tenant has after those of another state of the store were carried over.
@Suite struct SigningKeyMergeTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let week = SignedSpan(days: 40)

    private static func key(
        _ kid: String, _ status: SigningKeyRecord.Status = .primary, bytes: UInt8 = 0, until: Timestamp? = nil
    ) -> SigningKeyRecord {
        SigningKeyRecord(
            tenant: TenantID("acme")!, kid: kid, status: status, publicKey: [bytes], sealedSeed: [bytes],
            createdAt: now, publishedUntil: until, span: week)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let own: [SigningKeyRecord]
        let others: [SigningKeyRecord]
        /// For each change, the name of the key and the description of the change.
        let changes: [String]
    }

    @Test(arguments: [
        Case(
            testDescription: "no state rotated", own: [key("k1")], others: [key("k1")], changes: []),
        Case(
            testDescription: "the lost state rotated", own: [key("k1")],
            others: [key("k1", .retiring, until: now), key("k2")], changes: ["k1 retiring", "k2 added"]),
        Case(
            testDescription: "the store in use rotated", own: [key("k1", .retiring, until: now), key("k2")],
            others: [key("k1")], changes: []),
        Case(
            testDescription: "both rotated", own: [key("k1", .retiring, until: now), key("k2-a", bytes: 1)],
            others: [key("k1", .retiring, until: now), key("k2-b", bytes: 2)], changes: ["k2-b added, retiring"]),
        Case(
            testDescription: "both rotated, and gave the new keys the same name",
            own: [key("k1", .retiring, until: now), key("k2", bytes: 1)],
            others: [key("k1", .retiring, until: now), key("k2", bytes: 2)],
            changes: ["k2 left out: another key has this name"]),
        Case(
            testDescription: "both promoted the key that was prepared before",
            own: [key("k1", .retiring, until: now), key("k2")], others: [key("k1", .retiring, until: now), key("k2")],
            changes: []),
        Case(
            testDescription: "the lost state withdrew a key that leaked", own: [key("k0", .retiring), key("k1")],
            others: [key("k0", .retired), key("k1")], changes: ["k0 retired"]),
    ])
    func `merging the signing keys of two stores leaves one primary signing key and no duplicate name`(example: Case) {
        let merge = SigningKeyMerge(of: example.own, isInUse: true, at: Self.now)
        let outcomes = merge.outcomes(with: example.others)
        #expect(outcomes.map { "\($0.kid) \($0.act)" } == example.changes)
        var keys = Dictionary(uniqueKeysWithValues: example.own.map { ($0.kid, $0) })
        for outcome in outcomes {
            if let after = outcome.after { keys[outcome.kid] = after }
        }
        #expect(keys.values.filter { $0.status == .primary }.count == 1)
        for key in keys.values where key.status == .primary { #expect(key.publishedUntil == nil) }
        let again = SigningKeyMerge(of: Array(keys.values), isInUse: true, at: Self.now)
        #expect(again.outcomes(with: example.others).allSatisfy { $0.after == nil }, "repeating it changes nothing")
    }

    @Test
    func `a key with which the store in use signed until a merge stays published for the leases signed until then`()
        throws
    {
        let rotatedAt = Self.now.adding(days: -10)
        let others = [Self.key("k1", .retiring, until: Self.week.end(signedUntil: rotatedAt)), Self.key("k2")]
        let used = SigningKeyMerge(of: [Self.key("k1")], isInUse: true, at: Self.now).outcomes(with: others)
        #expect(used.first?.after?.publishedUntil == Self.week.end(signedUntil: Self.now))
        let copied = SigningKeyMerge(of: [Self.key("k1")], isInUse: false, at: Self.now).outcomes(with: others)
        #expect(copied.first?.after?.publishedUntil == Self.week.end(signedUntil: rotatedAt))
    }
}
