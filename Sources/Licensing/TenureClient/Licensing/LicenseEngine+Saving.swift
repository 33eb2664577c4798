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
            // This process keeps what it read before.
            if record != nil, damage == nil { return unwritten = error }
            damage = error
            return adopt(record ?? ClientRecord())
        }
        if let keyset = read.keyset, keyset != record?.keyset { service.trust(keyset: [UInt8](keyset)) }
        for change in unsaved { change(&read) }
        adopt(read)
    }

    /// Writes a change, together with earlier changes that couldn't be written.
    ///
    /// If that fails, the change still applies in this process and is written with the next one.
    @discardableResult
    func save(_ change: @escaping Mutation) async -> VaultError? {
        await write(change) { [self] in
            unsaved = unsaved.suffix(63) + [change]
            var changed = record ?? ClientRecord()
            change(&changed)
            adopt(changed)
        }
    }

    /// Writes a change; if that fails, the change doesn't apply in this process either.
    func saveOrLeave(_ change: @escaping Mutation) async -> VaultError? { await write(change) {} }

    /// Stores the elapsed time if that is worthwhile, together with changes that couldn't be written before.
    package func keepTime() async {
        let reading = clock.read()
        guard damage == nil else { return }
        if let marks = record?.marks, unsaved.isEmpty, !marks.isOlder(than: Self.markInterval, at: reading) { return }
        _ = await saveOrLeave { $0.keep(reading) }
    }

    /// Writes a change as soon as no other process is writing.
    ///
    /// While it waits, the actor handles other calls. Only writes keep their order, since a later one may depend on an
    /// earlier one.
    private func write(_ change: @escaping Mutation, failing: () -> Void) async -> VaultError? {
        let place = (line.last ?? 0) + 1
        line.append(place)
        defer { line.removeAll { $0 == place } }
        do throws(VaultError) {
            try await patience.wait { () throws(VaultError) in
                guard line.first == place else { throw VaultError(.busy, "Another write comes first.") }
                try write(unsaved + [change])
            }
            return nil
        } catch {
            unwritten = error
            failing()
            return error
        }
    }

    private func write(_ changes: [Mutation]) throws(VaultError) {
        let keyset = Data(service.keyset())
        var changed = ClientRecord()
        if isLost {
            // The stored record can't be read by anyone, so overwrite it and note that in the new one.
            let reading = clock.read()
            changed.loss = RecordLoss(damage, at: reading.wall)
            for change in changes { change(&changed) }
            changed.loss?.at = Moment(TrustedTime(reading, marks: changed.marks).now)
            changed.keyset = keyset
            try vault.replace(try changed.bytes())
        } else {
            var problem: VaultError?
            try vault.update { stored in
                do throws(VaultError) {
                    changed =
                        try stored.map { bytes throws(VaultError) in try ClientRecord(bytes) } ?? ClientRecord()
                    for change in changes { change(&changed) }
                    changed.keyset = keyset
                    return try changed.bytes()
                } catch {
                    problem = error
                    return nil
                }
            }
            if let problem { throw problem }
        }
        unsaved = []
        unwritten = nil
        damage = nil
        adopt(changed)
    }

    /// Whether the record is lost and no other process has written a new one meanwhile.
    private var isLost: Bool {
        guard damage?.isFinal == true else { return false }
        do throws(VaultError) {
            if let bytes = try vault.load() { _ = try ClientRecord(bytes) }
            return false
        } catch {
            return error.isFinal
        }
    }

    private func adopt(_ changed: ClientRecord) {
        record = changed
        time.take(changed.marks)
    }
}

extension ClientRecord {
    /// Stores the elapsed time, and corrects the times that the device wrote while its clock was ahead.
    package mutating func keep(_ reading: ClockReading) {
        guard var known = marks else {
            marks = ClockMarks(reading)
            return
        }
        let trusted = known.judge(reading)
        known.keep(trusted, at: reading)
        marks = known
        guard trusted.verdict == .believed else { return }
        trial = trial.corrected(by: TimeCheck(now: trusted.now, ran: known.ran(at: reading)))
    }
}
