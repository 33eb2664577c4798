import TenureClient
import TenureContent
import TenureCore
import TenureVault

/// A holder's ledger with this device's clock: the current state, durable changes and their listeners.
final class LicenseStore {
    /// Reads the stored state without waiting for the library.
    let reader: LibraryReader
    let durableLedger: DurableLedger
    private let keys: ContentKeys
    private var listeners: [AsyncStream<OfflineContent>.Continuation] = []
    /// The reason to show if the ledger is older than what the server received; `nil` otherwise.
    var putBack: Reason?

    /// Creates a store and closes the plays that a crash left open.
    ///
    /// Each of these plays is charged at most one reporting interval of play time.
    init(
        _ durableLedger: DurableLedger, keys: ContentKeys, clock: any DeviceClock,
        mediaCheck: @escaping @Sendable (MediaFile) -> Bool
    ) {
        self.durableLedger = durableLedger
        self.keys = keys
        reader = LibraryReader(shared: durableLedger.shared, clock: clock, mediaCheck: mediaCheck)
        keys.restore(durableLedger.ledgerContents.keys)
        let reading = clock.read()
        let trusted = TrustedTime(reading, marks: durableLedger.ledgerContents.marks)
        if trusted.verdict == .believed, let marks = durableLedger.ledgerContents.marks {
            try? durableLedger.append(
                durableLedger.ledgerContents.corrections(by: TimeCheck(now: trusted.now, ran: marks.ran(at: reading))))
        }
        var entries = durableLedger.ledgerContents.licenses.values.compactMap { stored -> LedgerEntry? in
            var ledger = stored.ledger
            ledger.recover(under: stored.grant, at: trusted.now)
            guard ledger != stored.ledger else { return nil }
            return ledger.entry(of: stored.grant.license, after: stored.ledger, acknowledged: stored.acknowledged)
        }
        // The clock state is stored now, so that later changes to the wall clock have no effect.
        if let mark = durableLedger.ledgerContents.marks.map({ Self.mark($0, at: reading) }),
            mark != durableLedger.ledgerContents.marks
        {
            entries.append(.note(.clock(mark)))
        }
        // If the ledger can't be written now, the next play closes the sessions, because it must write first.
        try? durableLedger.append(entries)
    }

    var ledgerContents: LedgerContents { durableLedger.ledgerContents }

    /// The current trusted time, with whether the clock was set back and when a server last signed the time.
    func instant() -> ContentStatus.Moment { reader.instant() }

    /// The current trusted time.
    var now: Timestamp { instant().now }

    /// The current trusted time, as the device stores it.
    var present: DeviceTime {
        let reading = reader.clock.read()
        let marks = ledgerContents.marks
        return DeviceTime(TrustedTime(reading, marks: marks).now, ran: marks?.ran(at: reading) ?? 0)
    }

    /// A stream of the content items that change, for one listener.
    func changes() -> AsyncStream<OfflineContent> {
        let (stream, listener) = AsyncStream<OfflineContent>.makeStream()
        listeners.append(listener)
        return stream
    }

    /// Writes entries as ``commit(_:)`` does; returns the reason if that failed, or `nil`.
    func save(_ entries: [LedgerEntry], isTimed: Bool = false) -> Reason? {
        do throws(VaultError) {
            try commit(entries, isTimed: isTimed)
            return nil
        } catch {
            return .unwritable(error)
        }
    }

    /// Writes entries as one unit, with the clock state if it is due, and notifies the listeners.
    ///
    /// - Parameter isTimed: Whether a right is measured from a time in the entries. The clock state is then due, so
    ///   that the time isn't in the future after a restart.
    func commit(_ entries: [LedgerEntry], isTimed: Bool = false) throws(VaultError) {
        guard !entries.isEmpty else { return }
        var entries = entries
        let reading = reader.clock.read()
        let mark = Self.mark(ledgerContents.marks ?? ClockMarks(reading), at: reading, isDue: isTimed)
        let hasClock = entries.contains { if case .note(.clock) = $0 { true } else { false } }
        if !hasClock, mark != ledgerContents.marks { entries.append(.note(.clock(mark))) }
        // A grant needs its signing key after a restart, so the served keys are stored with it.
        if keys.believesServed, keys.servedKeys != ledgerContents.keys { entries.append(.note(.keys(keys.servedKeys))) }
        // Find these items only if there are listeners. A copy of the contents that exists during a change would force
        // a copy of their tables.
        let gone =
            listeners.isEmpty
            ? []
            : entries.compactMap { entry -> ContentID? in
                if case .gone(let license) = entry { ledgerContents.licenses[license]?.grant.content } else { nil }
            }
        try durableLedger.append(entries)
        publish(entries, gone)
    }

    /// How much trusted time passes before the clock state is written again, in seconds.
    private static let markInterval: Int64 = 300

    /// The clock state to write: updated if it's due, once ``markInterval`` has passed, or if the system has restarted.
    private static func mark(_ old: ClockMarks, at reading: ClockReading, isDue: Bool = false) -> ClockMarks {
        var mark = old
        if isDue || mark.isOlder(than: markInterval, at: reading) { mark.keep(mark.judge(reading), at: reading) }
        return mark
    }

    private func publish(_ entries: [LedgerEntry], _ gone: [ContentID]) {
        guard !listeners.isEmpty else { return }
        let changed = entries.compactMap { entry -> ContentID? in
            switch entry {
            case .content(let facts): facts.content
            case .note(.fate(let content, _)): ContentID(content)
            default: entry.license.flatMap { ledgerContents.licenses[$0] }?.grant.content
            }
        }
        let instant = instant()
        for content in Set(changed + gone).sorted() {
            let evaluation = reader.content(content, at: instant)
            listeners.removeAll { if case .terminated = $0.yield(evaluation) { true } else { false } }
        }
    }
}
