package import TenureCore
package import TenureVault

/// The ledger on disk, and what it comes to. Entries are durable before they hold: what a fall cuts off never did.
package final class LedgerBook {
    /// What is kept.
    package var shelf: Shelf { shared.read { $0 } }
    /// The same, for readers on other threads.
    let shared: SharedShelf
    /// Why the file that was there could not be used, or that a part of it was damaged; nil when all is well.
    package private(set) var damage: VaultError?

    private let disk: any LedgerDisk
    private let binding: [UInt8]
    private var seal: LedgerSeal?
    private var end = 0
    private var number: UInt64 = 0
    /// The file that may have taken the other's place, since it is not known whether it did; nil when that is known.
    private var doubted: Image?
    private var isSetAside = false

    /// A file that is to take the place of the one that is there.
    private struct Image {
        let seal: LedgerSeal
        var bytes: [UInt8]
        var frames: [(place: LedgerPlace, entries: [LedgerEntry])] = []

        init(_ seal: LedgerSeal) {
            self.seal = seal
            bytes = seal.header
        }

        mutating func add(_ entries: [LedgerEntry]) throws(VaultError) {
            let number = UInt64(frames.count)
            let frame = try seal.seal(LedgerEntry.bytes(of: entries), number: number)
            frames.append((LedgerPlace(offset: bytes.count, length: frame.count, number: number), entries))
            bytes += frame
        }
    }

    /// Opens a ledger; a change that a fall cut off in the middle is left out.
    ///
    /// A file that cannot be used is `damage`, and put aside with the first change: its contents are asked for anew.
    /// - Parameter binding: What names this device (``ThisDevice/binding``).
    /// - Throws: `.unreadable`: it may well be in order, and is not to be written over.
    package init(_ disk: any LedgerDisk, owner: LedgerOwner, binding: [UInt8]) throws(VaultError) {
        self.disk = disk
        self.binding = binding
        shared = SharedShelf(Shelf(owner))
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
        let frame = try place().seal(LedgerEntry.bytes(of: entries), number: number)
        do throws(VaultError) {
            try disk.write(frame, at: end)
            try disk.synchronize()
        } catch {
            // Where this fails too, what is left over opens as no frame.
            try? disk.truncate(to: end)
            throw error
        }
        hold(entries, LedgerPlace(offset: end, length: frame.count, number: number))
        if end > 2 * (Self.eachBytes * shelf.licenses.count + shelf.keyBytes) + Self.slack { try? compact() }
    }

    /// How much of what no longer counts is left in the file, in bytes, beside as much again as counts.
    static let slack = 1 << 18
    /// How many bytes of the file a license takes, about.
    private static let eachBytes = 1_400

    /// The bytes that prove a license's grant; nil when they cannot be read or do not read.
    package func proof(of license: ContentLicenseID) -> [UInt8]? {
        guard (try? settle()) != nil, let kept = shelf.licenses[license], let place = kept.proof, let seal,
            let bytes = try? disk.read(at: place.offset + 4, count: place.length - 4),
            let opened = seal.open(bytes, number: place.number),
            let entries = try? LedgerEntry.read(opened, of: shelf.owner)
        else { return nil }
        for case .grant(let grant, let proof) in entries.reversed() where grant == kept.grant { return proof }
        return nil
    }

    /// Writes the ledger anew, with nothing in it that no longer counts. Fails without harm.
    package func compact() throws(VaultError) {
        try settle()
        guard let bytes = try disk.read(), let seal else { return }
        var proofs: [ContentLicenseID: [UInt8]] = [:]
        let shelf = shelf
        each(bytes, seal, of: shelf.owner, withProofs: true) { entries, _ in
            for case .grant(let grant, let proof) in entries where shelf.licenses[grant.license]?.grant == grant {
                proofs[grant.license] = proof
            }
        }
        var image = Image(try LedgerSeal(new: shelf.owner, device: binding))
        // Few licenses to a frame: to read a proof is to open its frame.
        for some in (shelf.licenses.values.sorted { $0.grant.license < $1.grant.license }).inPieces(of: 16) {
            let entries = some.flatMap { kept -> [LedgerEntry] in
                [
                    .grant(kept.grant, proof: proofs[kept.grant.license] ?? []),
                    .use(kept.grant.license, kept.ledger, known: kept.known),
                ]
            }
            try image.add(entries)
        }
        for some in shelf.notes.inPieces(of: 256) { try image.add(Array(some)) }
        try replace(with: image)
    }

    /// The seal of the file that is there, which is made when there is none, or none that can be used.
    private func place() throws(VaultError) -> LedgerSeal {
        try settle()
        if let seal { return seal }
        if damage != nil, !isSetAside {
            try disk.setAside()
            isSetAside = true
        }
        let new = try LedgerSeal(new: shelf.owner, device: binding)
        try replace(with: Image(new))
        return new
    }

    private func replace(with image: Image) throws(VaultError) {
        do throws(VaultError) {
            try disk.replace(image.bytes)
        } catch {
            doubted = image
            throw error
        }
        adopt(image)
    }

    /// Finds out which file is there, after a replacement that failed.
    private func settle() throws(VaultError) {
        guard let image = doubted else { return }
        if try disk.read(at: 0, count: LedgerSeal.headerLength) == image.seal.header { adopt(image) }
        doubted = nil
    }

    private func adopt(_ image: Image) {
        seal = image.seal
        (end, number) = (image.bytes.count, UInt64(image.frames.count))
        shared.change { shelf in
            for (place, entries) in image.frames { for entry in entries { shelf.apply(entry, at: place) } }
        }
    }

    private func hold(_ entries: [LedgerEntry], _ place: LedgerPlace) {
        shared.change { shelf in for entry in entries { shelf.apply(entry, at: place) } }
        end += place.length
        number += 1
    }

    private func read(_ bytes: [UInt8], _ seal: LedgerSeal) {
        (end, number) = (LedgerSeal.headerLength, 0)
        var isDamaged = false
        shared.change { $0.reserve(bytes.count / Self.eachBytes) }
        let owner = shelf.owner
        each(bytes, seal, of: owner) { entries, place in
            shared.change { shelf in for entry in entries { shelf.apply(entry, at: place) } }
            if place.number != number { isDamaged = true }
            (end, number) = (place.offset + place.length, place.number + 1)
        }
        guard isDamaged else { return }
        damage = VaultError(
            .corrupted,
            "A part of the ledger \(disk.name) was changed; connect to the internet, so that it is compared.")
    }

    /// The frames that open, one after the other.
    private func each(
        _ bytes: [UInt8], _ seal: LedgerSeal, of owner: LedgerOwner, withProofs: Bool = false,
        _ body: ([LedgerEntry], LedgerPlace) -> Void
    ) {
        var (offset, number) = (LedgerSeal.headerLength, UInt64(0))
        while let length = LedgerSeal.length(bytes, at: offset), offset + 4 + length <= bytes.count {
            if let opened = seal.open(Array(bytes[offset + 4..<offset + 4 + length]), number: number),
                let entries = try? LedgerEntry.read(opened, of: owner, withProofs: withProofs)
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
