import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// If a ledger has two licenses of a content item, the license that was granted last is used.
@Suite struct LedgerContentTests {
    private let content = Given.content(1)

    private func ledger(_ entries: LedgerEntry...) throws -> (book: DurableLedger, disk: MemoryDisk) {
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        try durableLedger.append(entries)
        return (durableLedger, disk)
    }

    /// Returns a ledger entry with a grant of this content item under the license with this number.
    private func grant(_ license: Int, of content: ContentID) -> LedgerEntry {
        let grant = Given.grant(license)
        return .grant(
            ContentGrant(
                tenant: grant.tenant, license: grant.license, enrolment: grant.enrolment, content: content,
                device: grant.device, request: grant.request, version: grant.version, issuedAt: grant.issuedAt,
                terms: grant.terms, settled: grant.settled), proof: [])
    }

    @Test func `compacting a ledger keeps a content item's newer license in use even if its id is smaller`() throws {
        let (durableLedger, disk) = try ledger(grant(2, of: content), grant(1, of: content))
        #expect(durableLedger.ledgerContents[content]?.grant.license == Given.license(1))
        try durableLedger.compact()
        let again = try DurableLedger.reopened(disk.bytes)
        #expect(again.ledgerContents[content]?.grant.license == Given.license(1))
        #expect(again.ledgerContents == durableLedger.ledgerContents)
    }

    @Test func `when the license in use for a content item is removed, the item's other license is used`() throws {
        let (durableLedger, _) = try ledger(grant(2, of: content), grant(1, of: content), .gone(Given.license(1)))
        #expect(durableLedger.ledgerContents[content]?.grant.license == Given.license(2))
        try durableLedger.append([.gone(Given.license(2))])
        #expect(durableLedger.ledgerContents[content] == nil)
    }

    @Test func `a license that is granted again for another content item no longer covers the first one`() throws {
        let other = Given.content(2)
        let (durableLedger, _) = try ledger(grant(1, of: content), grant(1, of: other))
        #expect(durableLedger.ledgerContents[content] == nil)
        #expect(durableLedger.ledgerContents[other]?.grant.license == Given.license(1))
    }
}
