import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureVault
import Testing

@testable import TenureContentClient

@Suite struct DurableLedgerTests {
    static let seeds = Array(UInt64(1)...20)

    @Test(arguments: seeds) func `a ledger is unchanged after reopening`(seed: UInt64) throws {
        var history = try LedgerHistory(seed: seed)
        for step in 0..<120 {
            try history.durableLedger.append(history.next())
            if step % 40 == 39 { try history.durableLedger.compact() }
            guard step % 13 == 0 else { continue }
            history.durableLedger = try DurableLedger(history.disk, owner: Given.owner, binding: Given.binding)
        }
        let again = try DurableLedger.reopened(history.disk.bytes)
        #expect(again.ledgerContents == history.durableLedger.ledgerContents)
        #expect(again.damage == nil)
        for stored in again.ledgerContents.licenses.values {
            #expect(again.proof(of: stored.grant.license) == Given.proof(stored.grant))
        }
    }

    @Test(arguments: seeds.prefix(4)) func `a crash during a write to a ledger loses only that write`(
        seed: UInt64
    ) throws {
        var history = try LedgerHistory(seed: seed)
        try history.durableLedger.append(history.next())
        for _ in 0..<14 {
            let before = (ledgerContents: history.durableLedger.ledgerContents, bytes: try #require(history.disk.bytes))
            try history.durableLedger.append(history.next())
            let after = try #require(history.disk.bytes)
            for cut in before.bytes.count..<after.count {
                let fallen = try DurableLedger.reopened(Array(after[..<cut]))
                #expect(fallen.ledgerContents == before.ledgerContents)
                #expect(fallen.damage == nil)
            }
            // After a crash, bytes that weren't flushed to the disk may contain anything.
            let garbled = after[..<before.bytes.count] + after[before.bytes.count...].map { _ in 0 }
            #expect(try DurableLedger.reopened(Array(garbled)).ledgerContents == before.ledgerContents)
        }
    }

    @Test
    func `a ledger truncated anywhere contains one of its earlier states, and new entries can be appended`() throws {
        var history = try LedgerHistory(seed: 3)
        var moments: [LedgerContents] = [history.durableLedger.ledgerContents]
        for _ in 0..<8 {
            try history.durableLedger.append(history.next())
            moments.append(history.durableLedger.ledgerContents)
        }
        let bytes = try #require(history.disk.bytes)
        for cut in LedgerSeal.headerLength..<bytes.count {
            let disk = MemoryDisk(Array(bytes[..<cut]))
            let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
            #expect(moments.contains(durableLedger.ledgerContents))
            try durableLedger.append([.note(.requestedContent("mck-9"))])
            #expect(try DurableLedger.reopened(disk.bytes).ledgerContents == durableLedger.ledgerContents)
        }
    }

    @Test(arguments: 0..<2) func `a ledger entry that couldn't be written durably has no effect`(steps: Int) throws {
        var history = try LedgerHistory(seed: UInt64(steps) + 50)
        try history.durableLedger.append(history.next())
        for _ in 0..<30 {
            let before = history.durableLedger.ledgerContents
            let entries = history.next()
            history.disk.stepsLeft = steps
            let error = #expect(throws: VaultError.self) { try history.durableLedger.append(entries) }
            #expect(error?.code == .unwritable)
            history.disk.stepsLeft = nil
            #expect(history.durableLedger.ledgerContents == before)
            try history.durableLedger.append(history.next())
            #expect(
                try DurableLedger.reopened(history.disk.bytes).ledgerContents == history.durableLedger.ledgerContents)
        }
    }

    @Test func `a ledger is rewritten when most of its entries are obsolete`() throws {
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        let grant = Given.grant()
        try durableLedger.append([.grant(grant, proof: Given.proof(grant))])
        var ledger = try #require(
            ContentLedger(grant).opening(Given.session(1), under: grant, at: ContentStatus.Moment(Given.now)).outcome)
        for beat in 0..<3_000 {
            let before = ledger
            ledger.beat(wall: 5_000, rendered: 5_000, under: grant, at: Given.now.adding(seconds: Int64(beat) * 5))
            try durableLedger.append([ledger.entry(of: grant.license, after: before, acknowledged: 0)])
        }
        #expect(try #require(disk.bytes).count < DurableLedger.slack + 10_000)
        let again = try DurableLedger.reopened(disk.bytes)
        #expect(again.ledgerContents.licenses[grant.license]?.ledger.used == ContentUse(plays: 1, playSeconds: 15_000))
        #expect(again.proof(of: grant.license) == Given.proof(grant))
    }

    @Test func `a large media key doesn't cause a rewrite of the ledger at each write`() throws {
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        var key = KeptKey("skd://one")
        key.key = Data(repeating: 7, count: 2 * DurableLedger.slack)
        try durableLedger.append([.note(.key("mck-1", key))])
        let header = { try #require(disk.bytes).prefix(LedgerSeal.headerLength) }
        let before = try header()
        for number in 0..<20 { try durableLedger.append([.note(.requestedContent("mck-\(number)"))]) }
        #expect(try header() == before)
        for _ in 0..<3 { try durableLedger.append([.note(.key("mck-1", key))]) }
        #expect(try header() != before, "replaced keys cause a rewrite")
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.keptKeys[Given.content(1)] == key)
    }

    @Test func `a ledger that can't be rewritten stays unchanged`() throws {
        var history = try LedgerHistory(seed: 8)
        for _ in 0..<40 { try history.durableLedger.append(history.next()) }
        let before = history.disk.bytes
        history.disk.stepsLeft = 0
        #expect(throws: VaultError.self) { try history.durableLedger.compact() }
        history.disk.stepsLeft = nil
        #expect(history.disk.bytes == before)
        try history.durableLedger.append(history.next())
        #expect(try DurableLedger.reopened(history.disk.bytes).ledgerContents == history.durableLedger.ledgerContents)
    }

    @Test(arguments: [true, false])
    func `a ledger whose file was replaced despite a reported error continues in the new file`(
        isKnown: Bool
    ) throws {
        var history = try LedgerHistory(seed: 8)
        for _ in 0..<40 { try history.durableLedger.append(history.next()) }
        let before = history.disk.bytes
        history.disk.failsNaming = true
        #expect(throws: VaultError.self) { try history.durableLedger.compact() }
        history.disk.failsNaming = false
        #expect(history.disk.bytes != before)
        if isKnown {
            for stored in history.durableLedger.ledgerContents.licenses.values {
                _ = history.durableLedger.proof(of: stored.grant.license)
            }
        }
        for _ in 0..<10 { try history.durableLedger.append(history.next()) }
        let again = try DurableLedger.reopened(history.disk.bytes)
        #expect(again.ledgerContents == history.durableLedger.ledgerContents)
        for stored in again.ledgerContents.licenses.values {
            #expect(history.durableLedger.proof(of: stored.grant.license) == Given.proof(stored.grant))
        }
    }

    @Test func `if the new file for a damaged ledger can't be written, a copy of the damaged file remains`()
        throws
    {
        let disk = MemoryDisk(Array("no ledger".utf8))
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        disk.failsNaming = true
        #expect(throws: VaultError.self) { try durableLedger.append([.note(.requestedContent("mck-1"))]) }
        #expect(durableLedger.ledgerContents.requestedContent == nil)
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.requestedContent == nil)
        disk.failsNaming = false
        try durableLedger.append([.note(.requestedContent("mck-2"))])
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.requestedContent == "mck-2")
        #expect(disk.aside == [Array("no ledger".utf8)])
    }

    @Test func `damage in the middle of a ledger loses only the damaged entry and is reported`() throws {
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        for number in 1...5 {
            let grant = Given.grant(number)
            try durableLedger.append([.grant(grant, proof: Given.proof(grant))])
        }
        let location = try #require(durableLedger.ledgerContents[Given.content(3)]?.proof)
        disk.bytes?[location.offset + 60] ^= 1
        let damaged = try DurableLedger.reopened(disk.bytes)
        #expect(damaged.damage?.code == .corrupted)
        #expect(damaged.ledgerContents.licenses.keys.sorted() == [1, 2, 4, 5].map { Given.license($0) })
    }

    @Test
    func `a ledger of another holder or device is reported as foreign and opened empty`() throws {
        var history = try LedgerHistory(seed: 5)
        try history.durableLedger.append(history.next())
        let other = LedgerOwner(tenant: Given.tenant, holder: "noa", device: Given.device)
        for (owner, binding) in [(other, Given.binding), (Given.owner, [UInt8](repeating: 8, count: 32))] {
            let disk = MemoryDisk(history.disk.bytes)
            let durableLedger = try DurableLedger(disk, owner: owner, binding: binding)
            #expect(durableLedger.damage?.code == .foreign)
            #expect(durableLedger.ledgerContents == LedgerContents(owner))
            try durableLedger.append([.note(.requestedContent("mck-1"))])
            #expect(try DurableLedger(disk, owner: owner, binding: binding).ledgerContents.requestedContent == "mck-1")
        }
        let elsewhere = LedgerOwner(
            tenant: Given.tenant, holder: Given.owner.holder,
            device: try #require(Digest([UInt8](repeating: 2, count: 32))))
        #expect(Set([Given.owner, other, elsewhere].map(\.fileName)).count == 3)
    }

    @Test func `a ledger is read up to the first missing or repeated frame`() throws {
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        try durableLedger.append([.note(.requestedContent("a"))])
        let first = try #require(disk.bytes).count
        try durableLedger.append([.note(.requestedContent("b"))])
        let second = try #require(disk.bytes).count
        try durableLedger.append([.note(.requestedContent("c"))])
        let bytes = try #require(disk.bytes)
        #expect(
            try DurableLedger.reopened(Array(bytes[..<first] + bytes[second...])).ledgerContents.requestedContent == "a"
        )
        #expect(
            try DurableLedger.reopened(Array(bytes[..<second] + bytes[first..<second])).ledgerContents.requestedContent
                == "b")
    }
}
