import Testing

@testable import TenureCore

/// Tests how events decide which of two states of a store takes precedence for a record.
@Suite struct RecordChangesTests {
    private static let (revoked, renewed) = (EventKind(told: "license.revoked"), EventKind(told: "license.renewed"))

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: RecordChanges
        let includes: Bool
        let decides: Bool
    }

    @Test(arguments: [
        Case(
            testDescription: "an old copy leaves everything to the other state", changes: .ofOldCopy, includes: true,
            decides: true),
        Case(
            testDescription: "the other state alone revoked", changes: .init(own: [], other: [revoked]), includes: true,
            decides: true),
        Case(
            testDescription: "the store in use did something else", changes: .init(own: [renewed], other: [revoked]),
            includes: true, decides: true),
        Case(
            testDescription: "both revoked", changes: .init(own: [revoked], other: [revoked]), includes: true,
            decides: false),
        Case(
            testDescription: "the other state recorded nothing", changes: .init(own: [], other: []), includes: false,
            decides: false),
        Case(
            testDescription: "the other state did something else", changes: .init(own: [], other: [renewed]),
            includes: false, decides: false),
    ])
    func `a change that only the other store recorded overrides the store in use`(example: Case) {
        #expect(example.changes.include([Self.revoked]) == example.includes)
        #expect(example.changes.decide([Self.revoked]) == example.decides)
    }

    @Test func `unless event kinds are named, any change of a record in the store in use overrides the other store's`()
    {
        #expect(RecordChanges(own: [], other: [Self.revoked]).decide())
        #expect(!RecordChanges(own: [Self.renewed], other: [Self.revoked]).decide())
        #expect(!RecordChanges(own: [], other: []).include())
    }
}
