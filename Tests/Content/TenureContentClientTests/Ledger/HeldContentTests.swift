import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// Two licenses of one content in a ledger: the one that was granted last holds the content.
@Suite struct HeldContentTests {
    private let content = Given.content(1)

    private func ledger(_ entries: LedgerEntry...) throws -> (book: DurableLedger, disk: MemoryDisk) {
        let disk = MemoryDisk()
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        try book.append(entries)
        return (book, disk)
    }

    /// A grant of a content under the license of that number.
    private func grant(_ license: Int, of content: ContentID) -> LedgerEntry {
        let grant = Given.grant(license)
        return .grant(
            ContentGrant(
                tenant: grant.tenant, license: grant.license, enrolment: grant.enrolment, content: content,
                device: grant.device, request: grant.request, version: grant.version, issuedAt: grant.issuedAt,
                terms: grant.terms, settled: grant.settled), proof: [])
    }

    @Test func `a new license with a smaller id still holds its content after the ledger was compacted`() throws {
        let (book, disk) = try ledger(grant(2, of: content), grant(1, of: content))
        #expect(book.ledgerContents[content]?.grant.license == Given.license(1))
        try book.compact()
        let again = try DurableLedger.reopened(disk.bytes)
        #expect(again.ledgerContents[content]?.grant.license == Given.license(1))
        #expect(again.ledgerContents == book.ledgerContents)
    }

    @Test func `when the license that holds a content is gone, another one holds it`() throws {
        let (book, _) = try ledger(grant(2, of: content), grant(1, of: content), .gone(Given.license(1)))
        #expect(book.ledgerContents[content]?.grant.license == Given.license(2))
        try book.append([.gone(Given.license(2))])
        #expect(book.ledgerContents[content] == nil)
    }

    @Test func `a license that names another content no longer holds the former one`() throws {
        let other = Given.content(2)
        let (book, _) = try ledger(grant(1, of: content), grant(1, of: other))
        #expect(book.ledgerContents[content] == nil)
        #expect(book.ledgerContents[other]?.grant.license == Given.license(1))
    }
}
