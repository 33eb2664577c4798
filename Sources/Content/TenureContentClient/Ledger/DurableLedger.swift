import TenureContent
package import TenureCore
package import TenureVault

/// The ledger file and the state that its entries describe.
///
/// An entry is written durably before it takes effect. An entry that a crash cut off never took effect.
package final class DurableLedger {
    /// A copy of the current state; see ``SharedLedger`` for when a copy is costly.
    package var ledgerContents: LedgerContents { shared.read { $0 } }
    /// The current state, for readers on other threads.
    let shared: SharedLedger
    /// Why the existing file couldn't be used, or that a part of it was damaged; `nil` if the ledger is intact.
    package private(set) var damage: VaultError?

    private let disk: any LedgerDisk
    private let binding: [UInt8]
    private var seal: LedgerSeal?
    private var end = 0
    private var number: UInt64 = 0
    /// The new file of a replacement that failed; `nil` otherwise.
    ///
    /// The old or the new file may be in place.
    private var doubted: Image?
    private var isSetAside = false

    /// The full contents of a new ledger file.
    private struct Image {
        let seal: LedgerSeal
        var bytes: [UInt8]
        var frames: [(place: LedgerLocation, entries: [LedgerEntry])] = []

        init(_ seal: LedgerSeal) {
            self.seal = seal
            bytes = seal.header
        }

        mutating func add(_ entries: [LedgerEntry]) throws(VaultError) {
            let number = UInt64(frames.count)
            let frame = try seal.seal(LedgerEntry.bytes(of: entries), number: number)
            frames.append((LedgerLocation(offset: bytes.count, length: frame.count, number: number), entries))
            bytes += frame
        }
    }

    /// Opens a ledger.
    ///
    /// A frame that a crash cut off is ignored. A file that can't be used sets `damage`, and the next write renames it
    /// and starts a new ledger.
    ///
    /// - Parameter binding: The bytes that identify this device (``ThisDevice/binding``).
    /// - Throws: ``VaultError``: `.unreadable` if the file may be intact and so must not be overwritten.
    package init(_ disk: any LedgerDisk, owner: LedgerOwner, binding: [UInt8]) throws(VaultError) {
        self.disk = disk
        self.binding = binding
        shared = SharedLedger(LedgerContents(owner))
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

    /// Writes entries as one durable frame, then applies them.
    ///
    /// - Throws: ``VaultError``: `.unwritable`. Then none of the entries takes effect, now or after the next start.
    package func append(_ entries: [LedgerEntry]) throws(VaultError) {
        guard !entries.isEmpty else { return }
        let frame = try currentSeal().seal(LedgerEntry.bytes(of: entries), number: number)
        do throws(VaultError) {
            try disk.write(frame, at: end)
            try disk.synchronize()
        } catch {
            // If truncating fails as well, the partial frame doesn't decrypt and is ignored.
            try? disk.truncate(to: end)
            throw error
        }
        hold(entries, LedgerLocation(offset: end, length: frame.count, number: number))
        if end > 2 * (Self.eachBytes * ledgerContents.licenses.count + ledgerContents.keyBytes) + Self.slack {
            try? compact()
        }
    }

    /// The number of obsolete bytes tolerated on top of twice the live size before the file is compacted.
    static let slack = 1 << 18
    /// The approximate size of one license in the file, in bytes.
    private static let eachBytes = 1_400

    /// The signed bytes that prove a license's grant; `nil` if they can't be read or decrypted.
    package func proof(of license: ContentLicenseID) -> [UInt8]? {
        guard (try? resolveReplacement()) != nil, let stored = ledgerContents.licenses[license],
            let proof = stored.proof, let seal,
            let bytes = try? disk.read(at: proof.offset + 4, count: proof.length - 4),
            let opened = seal.open(bytes, number: proof.number),
            let entries = try? LedgerEntry.read(opened, of: ledgerContents.owner)
        else { return nil }
        for case .grant(let grant, let proof) in entries.reversed() where grant == stored.grant { return proof }
        return nil
    }

    /// Rewrites the ledger without obsolete entries.
    ///
    /// If this fails, the ledger stays usable.
    package func compact() throws(VaultError) {
        try resolveReplacement()
        guard let bytes = try disk.read(), let seal else { return }
        var proofs: [ContentLicenseID: [UInt8]] = [:]
        let ledgerContents = ledgerContents
        each(bytes, seal, of: ledgerContents.owner, withProofs: true) { entries, _ in
            for case .grant(let grant, let proof) in entries
            where ledgerContents.licenses[grant.license]?.grant == grant {
                proofs[grant.license] = proof
            }
        }
        var image = Image(try LedgerSeal(new: ledgerContents.owner, device: binding))
        // Reading a proof decrypts its whole frame, so each frame holds only a few licenses.
        let licenses = ledgerContents.licenses.values.sorted { $0.grant.license < $1.grant.license }
        // The last license that is written for a content item becomes its current one.
        let isHeld = { (stored: KeptLicense) in ledgerContents.holding[stored.grant.content] == stored.grant.license }
        for some in (licenses.filter { !isHeld($0) } + licenses.filter(isHeld)).inPieces(of: 16) {
            let entries = some.flatMap { stored -> [LedgerEntry] in
                [
                    .grant(stored.grant, proof: proofs[stored.grant.license] ?? []),
                    .use(stored.grant.license, stored.ledger, acknowledged: stored.acknowledged),
                ]
            }
            try image.add(entries)
        }
        for some in ledgerContents.notes.inPieces(of: 256) { try image.add(Array(some)) }
        try replace(with: image)
    }

    /// Returns the seal of the current file, which encrypts new frames.
    ///
    /// If there is no usable file, this creates one.
    private func currentSeal() throws(VaultError) -> LedgerSeal {
        try resolveReplacement()
        if let seal { return seal }
        if damage != nil, !isSetAside {
            try disk.setAside()
            isSetAside = true
        }
        let new = try LedgerSeal(new: ledgerContents.owner, device: binding)
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

    /// Finds out whether the old or the new file is in place after a failed replacement.
    private func resolveReplacement() throws(VaultError) {
        guard let image = doubted else { return }
        if try disk.read(at: 0, count: LedgerSeal.headerLength) == image.seal.header { adopt(image) }
        doubted = nil
    }

    private func adopt(_ image: Image) {
        seal = image.seal
        (end, number) = (image.bytes.count, UInt64(image.frames.count))
        shared.change { ledgerContents in
            for (location, entries) in image.frames {
                for entry in entries { ledgerContents.apply(entry, at: location) }
            }
        }
    }

    private func hold(_ entries: [LedgerEntry], _ location: LedgerLocation) {
        shared.change { ledgerContents in for entry in entries { ledgerContents.apply(entry, at: location) } }
        end += location.length
        number += 1
    }

    private func read(_ bytes: [UInt8], _ seal: LedgerSeal) {
        (end, number) = (LedgerSeal.headerLength, 0)
        var isDamaged = false
        shared.change { $0.reserve(bytes.count / Self.eachBytes) }
        let owner = ledgerContents.owner
        each(bytes, seal, of: owner) { entries, location in
            shared.change { ledgerContents in for entry in entries { ledgerContents.apply(entry, at: location) } }
            if location.number != number { isDamaged = true }
            (end, number) = (location.offset + location.length, location.number + 1)
        }
        guard isDamaged else { return }
        damage = VaultError(
            .corrupted,
            "Part of the usage record \(disk.name) was modified. Connect to the internet to compare it with the server."
        )
    }

    /// Calls `body` with each frame that decrypts, in the order of the file.
    private func each(
        _ bytes: [UInt8], _ seal: LedgerSeal, of owner: LedgerOwner, withProofs: Bool = false,
        _ body: ([LedgerEntry], LedgerLocation) -> Void
    ) {
        var (offset, number) = (LedgerSeal.headerLength, UInt64(0))
        while let length = LedgerSeal.length(bytes, at: offset), offset + 4 + length <= bytes.count {
            if let opened = seal.open(Array(bytes[offset + 4..<offset + 4 + length]), number: number),
                let entries = try? LedgerEntry.read(opened, of: owner, withProofs: withProofs)
            {
                body(entries, LedgerLocation(offset: offset, length: 4 + length, number: number))
            }
            offset += 4 + length
            number += 1
        }
    }
}

extension Array {
    /// Splits the array into slices of at most `count` elements.
    func inPieces(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
