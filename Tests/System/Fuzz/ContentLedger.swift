import TenureClient
import TenureContent
import TenureContentClient
import TenureCore

/// Fuzzes ledger files and their entries.
///
/// A random file is opened or rejected. Random entries are rejected, or parse to the same entries after writing. A
/// ledger with such entries is the same after reopening.
@_cdecl("LLVMFuzzerTestOneInput")
public func readLedger(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let owner = Owner.only else { preconditionFailure("there is nobody to own a ledger") }
    _ = try? DurableLedger(MemoryDisk(bytes), owner: owner, binding: Owner.binding)
    guard let entries = try? LedgerEntry.read(bytes, of: owner) else { return 0 }
    precondition((try? LedgerEntry.read(LedgerEntry.bytes(of: entries), of: owner)) == entries, "it reads differently")
    let disk = MemoryDisk()
    guard let book = try? DurableLedger(disk, owner: owner, binding: Owner.binding), (try? book.append(entries)) != nil
    else { preconditionFailure("what was read cannot be written") }
    for kept in book.shelf.licenses.values {
        for seconds in [Int64.min, 0, .max] {
            _ = kept.grant.status(of: kept.ledger, at: ContentStatus.Moment(Timestamp(seconds: seconds)))
        }
    }
    let again = try? DurableLedger(MemoryDisk(disk.bytes), owner: owner, binding: Owner.binding)
    precondition(again?.shelf == book.shelf, "it is another ledger when it is opened again")
    try? book.compact()
    let compacted = try? DurableLedger(MemoryDisk(disk.bytes), owner: owner, binding: Owner.binding)
    precondition(compacted?.shelf == book.shelf, "it is another ledger when it was written anew")
    return 0
}

private enum Owner {
    static let binding = [UInt8](repeating: 9, count: 32)
    static let only: LedgerOwner? = {
        guard let tenant = TenantID("acme"), let device = Digest([UInt8](repeating: 1, count: 32)) else { return nil }
        return LedgerOwner(tenant: tenant, holder: "mia", device: device)
    }()
}
