package import TenureClient
package import TenureCore

/// The ledger on disk, and what it comes to. Entries are durable before they hold: what a fall cuts off never did.
package final class LedgerBook {
    /// What is kept.
    package private(set) var shelf: Shelf
    /// Why the file that was there could not be used, or that a part of it was damaged; nil when all is well.
    package private(set) var damage: VaultError?

    private let disk: any LedgerDisk
    private let binding: [UInt8]
    private var seal: LedgerSeal?
    private var end = 0
    private var number: UInt64 = 0

    /// Opens a ledger; a change that a fall cut off in the middle is left out.
    ///
    /// A file that cannot be used is `damage`, and put aside with the first change: its contents are asked for anew.
    /// - Parameter binding: What names this device (``ThisDevice/binding``).
    /// - Throws: `.unreadable`: it may well be in order, and is not to be written over.
    package init(_ disk: any LedgerDisk, owner: LedgerOwner, binding: [UInt8]) throws(VaultError) {
        self.disk = disk
        self.binding = binding
        shelf = Shelf(owner)
        guard let bytes = try disk.read(), !bytes.isEmpty else { return }
        do throws(VaultError) {
            let seal = try LedgerSeal(owner, device: binding, reading: bytes, disk.name)
            self.seal = seal
            read(bytes, seal)
        } catch {
            guard error.code == .corrupted || error.code == .foreign else { throw error }
            damage = error
        }
    }

    /// Writes entries that belong together, durably, and then lets them hold.
    ///
    /// Throws: `.unwritable`; nothing of them holds then, here or after the next start.
    package func append(_ entries: [LedgerEntry]) throws(VaultError) {
        guard !entries.isEmpty else { return }
        let bytes = LedgerEntry.bytes(of: entries)
        guard let seal else { return try begin(with: entries, bytes) }
        let frame = try seal.seal(bytes, number: number)
        do throws(VaultError) {
            try disk.write(frame, at: end)
            try disk.synchronize()
        } catch {
            // Where this fails too, what is left over opens as no frame.
            try? disk.truncate(to: end)
            throw error
        }
        hold(entries, LedgerPlace(offset: end, length: frame.count, number: number))
        if end > 2 * 1_400 * shelf.licenses.count + Self.slack { try? compact() }
    }

    /// How much of what no longer counts is left in the file, in bytes, beside as much again as counts.
    static let slack = 1 << 18

    /// The bytes that prove a license's grant; nil when they cannot be read or do not read.
    package func proof(of license: ContentLicenseID) -> [UInt8]? {
        guard let kept = shelf.licenses[license], let place = kept.proof, let seal,
            let bytes = try? disk.read(at: place.offset + 4, count: place.length - 4),
            let opened = seal.open(bytes, number: place.number),
            let entries = try? LedgerEntry.read(opened, of: shelf.owner)
        else { return nil }
        for case .grant(let grant, let proof) in entries.reversed() where grant == kept.grant { return proof }
        return nil
    }

    /// Writes the ledger anew, with nothing in it that no longer counts. Fails without harm.
    package func compact() throws(VaultError) {
        guard let bytes = try disk.read(), let seal else { return }
        var proofs: [ContentLicenseID: [UInt8]] = [:]
        each(bytes, seal) { entries, _ in
            for case .grant(let grant, let proof) in entries where shelf.licenses[grant.license]?.grant == grant {
                proofs[grant.license] = proof
            }
        }
        let new = try LedgerSeal(new: shelf.owner, device: binding)
        var written = new.header
        var places: [(LedgerPlace, [LedgerEntry])] = []
        // Few licenses to a frame: to read a proof is to open its frame.
        for some in (shelf.licenses.values.sorted { $0.grant.license < $1.grant.license }).inPieces(of: 16) {
            let entries = some.flatMap { kept -> [LedgerEntry] in
                [
                    .grant(kept.grant, proof: proofs[kept.grant.license] ?? []),
                    .use(kept.grant.license, kept.ledger, known: kept.known),
                ]
            }
            try add(entries)
        }
        for some in shelf.notes.inPieces(of: 256) { try add(Array(some)) }
        try disk.replace(written)
        self.seal = new
        (end, number) = (written.count, UInt64(places.count))
        for (place, entries) in places { for entry in entries { shelf.apply(entry, at: place) } }

        func add(_ entries: [LedgerEntry]) throws(VaultError) {
            let number = UInt64(places.count)
            let frame = try new.seal(LedgerEntry.bytes(of: entries), number: number)
            places.append((LedgerPlace(offset: written.count, length: frame.count, number: number), entries))
            written += frame
        }
    }

    private func begin(with entries: [LedgerEntry], _ bytes: [UInt8]) throws(VaultError) {
        if damage != nil { try disk.setAside() }
        let new = try LedgerSeal(new: shelf.owner, device: binding)
        let frame = try new.seal(bytes, number: 0)
        try disk.replace(new.header + frame)
        seal = new
        end = new.header.count
        hold(entries, LedgerPlace(offset: end, length: frame.count, number: 0))
    }

    private func hold(_ entries: [LedgerEntry], _ place: LedgerPlace) {
        for entry in entries { shelf.apply(entry, at: place) }
        end += place.length
        number += 1
    }

    private func read(_ bytes: [UInt8], _ seal: LedgerSeal) {
        (end, number) = (LedgerSeal.headerLength, 0)
        var isDamaged = false
        each(bytes, seal) { entries, place in
            for entry in entries { shelf.apply(entry, at: place) }
            if place.number != number { isDamaged = true }
            (end, number) = (place.offset + place.length, place.number + 1)
        }
        guard isDamaged else { return }
        damage = VaultError(
            .corrupted,
            "A part of the ledger \(disk.name) was changed; connect to the internet, so that it is compared.")
    }

    /// The frames that open, one after the other.
    private func each(_ bytes: [UInt8], _ seal: LedgerSeal, _ body: ([LedgerEntry], LedgerPlace) -> Void) {
        var (offset, number) = (LedgerSeal.headerLength, UInt64(0))
        while let length = LedgerSeal.length(bytes, at: offset), offset + 4 + length <= bytes.count {
            if let opened = seal.open(Array(bytes[offset + 4..<offset + 4 + length]), number: number),
                let entries = try? LedgerEntry.read(opened, of: shelf.owner)
            {
                body(entries, LedgerPlace(offset: offset, length: 4 + length, number: number))
            }
            offset += 4 + length
            number += 1
        }
    }
}

extension Array {
    /// The elements in order, so many at once.
    func inPieces(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
