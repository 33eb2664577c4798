import TenureCore
import TenureFoundation
import TenureVault

extension LicenseEngine {
    /// How many seconds of trusted time must pass before the record is written only to store the new time.
    private static let markInterval: Int64 = 300

    /// Reads the record and applies the changes that couldn't be written yet.
    func load() {
        var read = ClientRecord()
        do throws(VaultError) {
            if let bytes = try vault.load() { read = try ClientRecord(bytes) }
            damage = nil
        } catch {
            // Continue with the record that was read before.
            if record != nil, damage == nil { return unwritten = error }
            damage = error
            return adopt(record ?? ClientRecord())
        }
        adoptStoredKeys(of: read)
        for change in unsaved { change(&read) }
        adopt(read)
    }

    /// Writes a change, together with earlier changes that couldn't be written; returns the error if that fails.
    ///
    /// Even after an error, the change applies in this process, and it's written with the next one.
    @discardableResult
    func save(_ change: @escaping Mutation) async -> VaultError? {
        await write(change) { [self] in
            unsaved = unsaved.suffix(63) + [change]
            var changed = record ?? ClientRecord()
            change(&changed)
            adopt(changed)
        }
    }

    /// Writes a change; returns the error if that fails. In that case, the change doesn't apply in this process either.
    func saveOrLeave(_ change: @escaping Mutation) async -> VaultError? { await write(change) {} }

    /// Stores the elapsed time if the stored time is older than ``markInterval``, together with changes that couldn't
    /// be written before.
    package func keepTime() async {
        let reading = clock.read()
        guard damage == nil else { return }
        if let marks = record?.marks, unsaved.isEmpty, !marks.isOlder(than: Self.markInterval, at: reading) { return }
        _ = await saveOrLeave { $0.keep(reading) }
    }

    /// Writes a change as soon as no other process is writing; returns the error if that fails.
    ///
    /// While it waits, the actor handles other calls. Only writes keep their order, since a later one may depend on an
    /// earlier one.
    private func write(_ change: @escaping Mutation, failing: () -> Void) async -> VaultError? {
        let number = (line.last ?? 0) + 1
        line.append(number)
        defer { line.removeAll { $0 == number } }
        do throws(VaultError) {
            try await timeout.wait { () throws(VaultError) in
                guard line.first == number else { throw VaultError(.busy, "Another write comes first.") }
                try writeNow(change)
            }
            return nil
        } catch {
            unwritten = error
            failing()
            return error
        }
    }

    private func writeNow(_ change: @escaping Mutation) throws(VaultError) {
        var (changed, keyset) = (ClientRecord(), Data())
        // Whether the record is lost is decided under the lock: another process may have written a new one meanwhile.
        try vault.rewrite { stored throws(VaultError) in
            do throws(VaultError) {
                changed = try stored.get().map { bytes throws(VaultError) in try ClientRecord(bytes) } ?? ClientRecord()
                adoptStoredKeys(of: changed)
                for change in unsaved + [change] { change(&changed) }
            } catch {
                guard error.isFinal, damage?.isFinal ?? true else { throw error }
                changed = ClientRecord.replacement(
                    of: damage == nil ? record : nil, lostBy: damage ?? error,
                    applying: (damage == nil ? [] : unsaved) + [change], at: clock.read())
            }
            keyset = Data(service.keyset())
            changed.keyset = keyset
            return try changed.bytes()
        }
        (storedKeyset, unsaved, unwritten, damage) = (keyset, [], nil, nil)
        adopt(changed)
    }

    /// Trusts the keys that another process stored, unless this one has received newer ones.
    ///
    /// Without this, a process that has received no keys would remove those that verify another process's lease.
    private func adoptStoredKeys(of record: ClientRecord) {
        guard let keyset = record.keyset, keyset != storedKeyset else { return }
        storedKeyset = Data(service.trust(keyset: [UInt8](keyset), ifUnchangedSince: [UInt8](storedKeyset)))
    }

    private func adopt(_ changed: ClientRecord) {
        record = changed
        time.take(changed.marks)
    }
}

extension ClientRecord {
    /// A record that replaces a lost record, which no program can read any more, and has the reason for the loss.
    ///
    /// - Parameters:
    ///   - existing: What this process read before the record was lost, with the unsaved changes; `nil` if it read
    ///     nothing.
    ///   - changes: The changes that `existing` doesn't have yet.
    fileprivate static func replacement(
        of existing: ClientRecord?, lostBy error: VaultError, applying changes: [LicenseEngine.Mutation],
        at reading: ClockReading
    ) -> ClientRecord {
        var replacement = existing ?? ClientRecord()
        replacement.loss = RecordLoss(error, at: reading.wall)
        for change in changes { change(&replacement) }
        replacement.loss?.at = Moment(TrustedTime(reading, marks: replacement.marks).now)
        return replacement
    }

    /// Stores the elapsed time, and corrects the times that the device wrote while its clock was ahead.
    package mutating func keep(_ reading: ClockReading) {
        guard var clockMarks = marks else {
            marks = ClockMarks(reading)
            return
        }
        let trusted = clockMarks.judge(reading)
        clockMarks.keep(trusted, at: reading)
        marks = clockMarks
        guard trusted.verdict == .believed else { return }
        trial = trial.corrected(by: TimeCheck(now: trusted.now, ran: clockMarks.ran(at: reading)))
    }
}
