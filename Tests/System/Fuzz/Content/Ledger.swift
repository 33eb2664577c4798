import TenureClient
import TenureContent
import TenureCore

@testable import TenureContentClient

/// A random file is opened or rejected. A truncated valid file opens with some of its entries, and a changed file never
/// opens with other entries.
let ledgerFiles = FuzzTarget("LedgerFile", longest: 512, cost: 20) { bytes in
    guard let owner, let good else { fail("there is nobody to own a ledger") }
    _ = try? DurableLedger(MemoryDisk(bytes), owner: owner, binding: binding)
    guard let place = bytes.first, let change = bytes.last, change != 0 else { return }
    var changed = good
    changed[Int(place) * good.count / 256] ^= change
    if let ledger = try? DurableLedger(MemoryDisk(changed), owner: owner, binding: binding) {
        expect(ledger.ledgerContents.licenses.count == 0, "a changed ledger has another license")
    }
    _ = try? DurableLedger(MemoryDisk(Array(good.prefix(Int(place)))), owner: owner, binding: binding)
}

private let good: [UInt8]? = owner.flatMap { owner in
    let disk = MemoryDisk()
    guard let ledger = try? DurableLedger(disk, owner: owner, binding: binding) else { return nil }
    try? ledger.append([.note(.owed(["enr_0000000000000"]))])
    return disk.bytes
}

/// Random entries are rejected, or parse to the same entries after writing. A ledger with such entries is the same after
/// reopening.
let ledgerEntries = FuzzTarget("LedgerEntry", longest: 768, cost: 10) { bytes in
    guard let owner else { fail("there is nobody to own a ledger") }
    guard let entries = try? LedgerEntry.read(bytes, of: owner) else { return }
    expect((try? LedgerEntry.read(LedgerEntry.bytes(of: entries), of: owner)) == entries, "it reads differently")
    let disk = MemoryDisk()
    guard let ledger = try? DurableLedger(disk, owner: owner, binding: binding), (try? ledger.append(entries)) != nil
    else { fail("what was read cannot be written") }
    for kept in ledger.ledgerContents.licenses.values {
        for seconds in [Int64.min, 0, .max] {
            _ = kept.grant.status(of: kept.ledger, at: ContentStatus.Moment(Timestamp(seconds: seconds)))
        }
    }
    let again = try? DurableLedger(MemoryDisk(disk.bytes), owner: owner, binding: binding)
    expect(again?.ledgerContents == ledger.ledgerContents, "it is another ledger when it is opened again")
    try? ledger.compact()
    let compacted = try? DurableLedger(MemoryDisk(disk.bytes), owner: owner, binding: binding)
    expect(compacted?.ledgerContents == ledger.ledgerContents, "it is another ledger when it was written anew")
}

let ledgerNotes = FuzzTarget("LedgerNote", longest: 384, cost: 10) { bytes in
    guard let note = try? LedgerNote(json: bytes) else { return }
    expect((try? LedgerNote(json: note.json)) == note, "a note reads differently the second time")
}

private let binding = [UInt8](repeating: 9, count: 32)

private let owner: LedgerOwner? = {
    guard let tenant = TenantID("acme"), let device = Digest([UInt8](repeating: 1, count: 32)) else { return nil }
    return LedgerOwner(tenant: tenant, holder: "mia", device: device)
}()
