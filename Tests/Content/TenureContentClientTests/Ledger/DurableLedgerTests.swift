import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureVault
import Testing

@testable import TenureContentClient

@Suite struct LedgerBookTests {
    static let seeds = Array(UInt64(1)...20)

    @Test(arguments: seeds) func `a ledger that is opened again is what it was`(seed: UInt64) throws {
        var history = try LedgerHistory(seed: seed)
        for step in 0..<120 {
            try history.book.append(history.next())
            if step % 40 == 39 { try history.book.compact() }
            guard step % 13 == 0 else { continue }
            history.book = try DurableLedger(history.disk, owner: Given.owner, binding: Given.binding)
        }
        let again = try DurableLedger.reopened(history.disk.bytes)
        #expect(again.ledgerContents == history.book.ledgerContents)
        #expect(again.damage == nil)
        for kept in again.ledgerContents.licenses.values {
            #expect(again.proof(of: kept.grant.license) == Given.proof(kept.grant))
        }
    }

    @Test(arguments: seeds.prefix(4)) func `a fall in the middle of a write loses that write, and nothing before it`(
        seed: UInt64
    ) throws {
        var history = try LedgerHistory(seed: seed)
        try history.book.append(history.next())
        for _ in 0..<14 {
            let before = (ledgerContents: history.book.ledgerContents, bytes: try #require(history.disk.bytes))
            try history.book.append(history.next())
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

    @Test func `a ledger cut anywhere holds a moment of its past, and goes on from there`() throws {
        var history = try LedgerHistory(seed: 3)
        var moments: [LedgerContents] = [history.book.ledgerContents]
        for _ in 0..<8 {
            try history.book.append(history.next())
            moments.append(history.book.ledgerContents)
        }
        let bytes = try #require(history.disk.bytes)
        for cut in LedgerSeal.headerLength..<bytes.count {
            let disk = MemoryDisk(Array(bytes[..<cut]))
            let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
            #expect(moments.contains(book.ledgerContents))
            try book.append([.note(.wish("mck-9"))])
            #expect(try DurableLedger.reopened(disk.bytes).ledgerContents == book.ledgerContents)
        }
    }

    @Test(arguments: 0..<2) func `what could not be written, or made durable, does not hold`(steps: Int) throws {
        var history = try LedgerHistory(seed: UInt64(steps) + 50)
        try history.book.append(history.next())
        for _ in 0..<30 {
            let before = history.book.ledgerContents
            let entries = history.next()
            history.disk.stepsLeft = steps
            let error = #expect(throws: VaultError.self) { try history.book.append(entries) }
            #expect(error?.code == .unwritable)
            history.disk.stepsLeft = nil
            #expect(history.book.ledgerContents == before)
            try history.book.append(history.next())
            #expect(try DurableLedger.reopened(history.disk.bytes).ledgerContents == history.book.ledgerContents)
        }
    }

    @Test func `a ledger is written anew when most of it no longer counts`() throws {
        let disk = MemoryDisk()
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        let grant = Given.grant()
        try book.append([.grant(grant, proof: Given.proof(grant))])
        var ledger = try #require(
            ContentLedger(grant).opening(Given.session(1), under: grant, at: ContentStatus.Moment(Given.now)).outcome)
        for beat in 0..<3_000 {
            let before = ledger
            ledger.beat(wall: 5_000, rendered: 5_000, under: grant, at: Given.now.adding(seconds: Int64(beat) * 5))
            try book.append([ledger.entry(of: grant.license, after: before, known: 0)])
        }
        #expect(try #require(disk.bytes).count < DurableLedger.slack + 10_000)
        let again = try DurableLedger.reopened(disk.bytes)
        #expect(again.ledgerContents.licenses[grant.license]?.ledger.used == ContentUse(plays: 1, playSeconds: 15_000))
        #expect(again.proof(of: grant.license) == Given.proof(grant))
    }

    @Test func `keys of media are no reason to write a ledger anew each time`() throws {
        let disk = MemoryDisk()
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        var key = KeptKey("skd://one")
        key.key = Data(repeating: 7, count: 2 * DurableLedger.slack)
        try book.append([.note(.key("mck-1", key))])
        let header = { try #require(disk.bytes).prefix(LedgerSeal.headerLength) }
        let before = try header()
        for number in 0..<20 { try book.append([.note(.wish("mck-\(number)"))]) }
        #expect(try header() == before)
        for _ in 0..<3 { try book.append([.note(.key("mck-1", key))]) }
        #expect(try header() != before, "replaced keys cause a rewrite")
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.keptKeys[Given.content(1)] == key)
    }

    @Test func `a ledger that cannot be written anew stays as it is`() throws {
        var history = try LedgerHistory(seed: 8)
        for _ in 0..<40 { try history.book.append(history.next()) }
        let before = history.disk.bytes
        history.disk.stepsLeft = 0
        #expect(throws: VaultError.self) { try history.book.compact() }
        history.disk.stepsLeft = nil
        #expect(history.disk.bytes == before)
        try history.book.append(history.next())
        #expect(try DurableLedger.reopened(history.disk.bytes).ledgerContents == history.book.ledgerContents)
    }

    @Test(arguments: [true, false]) func `a ledger whose new file took its place all the same goes on in that`(
        isKnown: Bool
    ) throws {
        var history = try LedgerHistory(seed: 8)
        for _ in 0..<40 { try history.book.append(history.next()) }
        let before = history.disk.bytes
        history.disk.failsNaming = true
        #expect(throws: VaultError.self) { try history.book.compact() }
        history.disk.failsNaming = false
        #expect(history.disk.bytes != before)
        if isKnown {
            for kept in history.book.ledgerContents.licenses.values { _ = history.book.proof(of: kept.grant.license) }
        }
        for _ in 0..<10 { try history.book.append(history.next()) }
        let again = try DurableLedger.reopened(history.disk.bytes)
        #expect(again.ledgerContents == history.book.ledgerContents)
        for kept in again.ledgerContents.licenses.values {
            #expect(history.book.proof(of: kept.grant.license) == Given.proof(kept.grant))
        }
    }

    @Test func `a ledger whose first file failed holds nothing of it, and what was put aside stays there`() throws {
        let disk = MemoryDisk(Array("no ledger".utf8))
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        disk.failsNaming = true
        #expect(throws: VaultError.self) { try book.append([.note(.wish("mck-1"))]) }
        #expect(book.ledgerContents.wish == nil)
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.wish == nil)
        disk.failsNaming = false
        try book.append([.note(.wish("mck-2"))])
        #expect(try DurableLedger.reopened(disk.bytes).ledgerContents.wish == "mck-2")
        #expect(disk.aside == [Array("no ledger".utf8)])
    }

    @Test func `damage in the middle costs what was damaged, and is told`() throws {
        let disk = MemoryDisk()
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        for number in 1...5 {
            let grant = Given.grant(number)
            try book.append([.grant(grant, proof: Given.proof(grant))])
        }
        let place = try #require(book.ledgerContents[Given.content(3)]?.proof)
        disk.bytes?[place.offset + 60] ^= 1
        let damaged = try DurableLedger.reopened(disk.bytes)
        #expect(damaged.damage?.code == .corrupted)
        #expect(damaged.ledgerContents.licenses.keys.sorted() == [1, 2, 4, 5].map { Given.license($0) })
    }

    @Test func `a ledger opens for its holder and on its device alone, and is put aside and not deleted`() throws {
        var history = try LedgerHistory(seed: 5)
        try history.book.append(history.next())
        let other = LedgerOwner(tenant: Given.tenant, holder: "noa", device: Given.device)
        for (owner, binding) in [(other, Given.binding), (Given.owner, [UInt8](repeating: 8, count: 32))] {
            let disk = MemoryDisk(history.disk.bytes)
            let book = try DurableLedger(disk, owner: owner, binding: binding)
            #expect(book.damage?.code == .foreign)
            #expect(book.ledgerContents == LedgerContents(owner))
            try book.append([.note(.wish("mck-1"))])
            #expect(try DurableLedger(disk, owner: owner, binding: binding).ledgerContents.wish == "mck-1")
        }
        let elsewhere = LedgerOwner(
            tenant: Given.tenant, holder: Given.owner.holder,
            device: try #require(Digest([UInt8](repeating: 2, count: 32))))
        #expect(Set([Given.owner, other, elsewhere].map(\.fileName)).count == 3)
    }

    @Test func `frames can be neither left out nor moved`() throws {
        let disk = MemoryDisk()
        let book = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        try book.append([.note(.wish("a"))])
        let first = try #require(disk.bytes).count
        try book.append([.note(.wish("b"))])
        let second = try #require(disk.bytes).count
        try book.append([.note(.wish("c"))])
        let bytes = try #require(disk.bytes)
        #expect(try DurableLedger.reopened(Array(bytes[..<first] + bytes[second...])).ledgerContents.wish == "a")
        #expect(try DurableLedger.reopened(Array(bytes[..<second] + bytes[first..<second])).ledgerContents.wish == "b")
    }
}
