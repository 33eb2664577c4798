import TenureClient
import TenureContent
import TenureCore

/// Exchanges with the server everything that isn't a renewal: its time, the use, the token and returned licenses.
final class ServerSync {
    let store: LicenseStore
    let service: ContentService
    let network: NetworkRecovery
    let plays: PlayRecorder
    private let mediaRemoval: @Sendable (MediaFile) -> Void
    /// A new token that isn't on disk yet, and the token that it replaces; `nil` if there is none.
    private var nextToken: (HolderToken, after: HolderToken)?
    /// Whether a request for a new token is in progress or about to start.
    private(set) var isAskingForToken = false
    private var ledgerContents: LedgerContents { store.ledgerContents }

    init(
        _ store: LicenseStore, _ service: ContentService, _ network: NetworkRecovery, _ plays: PlayRecorder,
        mediaRemoval: @escaping @Sendable (MediaFile) -> Void
    ) {
        self.store = store
        self.service = service
        self.network = network
        self.plays = plays
        self.mediaRemoval = mediaRemoval
    }

    /// The maximum number of sessions in one report.
    private static let mostSessions = 500

    /// Requests the server's time, unless it was received within the last minute and the clock wasn't set back.
    ///
    /// - Parameters:
    ///   - quickly: Whether to use the short timeouts.
    ///   - anyway: Whether to send the request even if the time was received recently.
    /// - Returns: Why the request failed; `nil` on success.
    nonisolated(nonsending) func checkIn(quickly: Bool = false, anyway: Bool = false) async -> ToldReason? {
        if !anyway, store.instant().onlineUntil != nil, !store.instant().isSetBack { return nil }
        switch await service.time(quickly: quickly) {
        case .success(let time):
            let reading = store.reader.clock.read()
            var marks = ledgerContents.marks ?? ClockMarks(reading)
            let check = marks.take(Moment(time), isFresh: true, at: reading)
            let corrections = check.map { ledgerContents.corrections(by: $0) } ?? []
            return store.save([.note(.clock(marks))] + corrections).map { ToldReason($0) }
        case .refused(let no): return no.reasons.first
        case .unknown(let unreached):
            network.want(after: unreached)
            return ToldReason(.unreached(unreached))
        }
    }

    /// Reports all use that the server hasn't received; returns the reason if that fails, or `nil`.
    nonisolated(nonsending) func reportUse() async -> ToldReason? {
        let now = store.now
        let sessions = ledgerContents.licenses.values.sorted { $0.grant.license < $1.grant.license }
            .flatMap { $0.unreported(at: now) }
        if sessions.isEmpty, ledgerContents.token == nil { return ToldReason(Reason(.signInNeeded)) }
        for some in sessions.inPieces(of: Self.mostSessions) {
            if let problem = await report(Array(some)) { return problem }
        }
        return nil
    }

    /// Requests a new token if one is due, with an empty usage report; returns the reason if that fails, or `nil`.
    ///
    /// This keeps a device signed in while no license needs a renewal.
    @discardableResult
    nonisolated(nonsending) func keepSignedIn() async -> ToldReason? {
        guard let token = beginReplacingToken() else { return nil }
        return await replace(token)
    }

    /// Returns the token if a new one is due and not being requested; the caller must then call ``replace(_:)``.
    func beginReplacingToken() -> HolderToken? {
        guard !isAskingForToken, let token = ledgerContents.token, token.isSuccessorDue(at: store.now) else {
            return nil
        }
        isAskingForToken = true
        return token
    }

    /// Requests a new token for the one from ``beginReplacingToken()``; returns the reason if that fails, or `nil`.
    @discardableResult
    nonisolated(nonsending) func replace(_ token: HolderToken) async -> ToldReason? {
        defer { isAskingForToken = false }
        let now = store.now
        let problem = await report([])
        // An older server refuses an empty report. The attempt is recorded all the same, so that the next one follows a
        // day later.
        if problem?.isMendedByWaiting != true, let stored = ledgerContents.token, stored.isSame(as: token) {
            try? store.commit([.note(.token(stored.requested(at: now)))])
        }
        return problem?.code == "field_invalid" ? nil : problem
    }

    /// Reports up to 500 sessions and applies the response; returns the reason if that fails, or `nil`.
    nonisolated(nonsending) private func report(_ sessions: [SessionReport]) async -> ToldReason? {
        guard let token = ledgerContents.token else { return ToldReason(Reason(.signInNeeded)) }
        switch await service.report(sessions, request: service.newRequest(), token: token.text) {
        case .success(let settling):
            noteNext(settling.token, after: token)
            return record(sessions, settling).map { ToldReason($0) }
        case .refused(let no): return no.reasons.first
        case .unknown(let unreached):
            network.want(after: unreached)
            return ToldReason(.unreached(unreached))
        }
    }

    /// Records what the server received, and adopts the server's count of use where it is higher. Returns a reason if
    /// the write fails.
    ///
    /// Sessions that the server rejected aren't reported again, so that they don't block later ones.
    private func record(_ sent: [SessionReport], _ settling: ContentSettling) -> Reason? {
        let now = store.now
        var settled = settling.settled
        for (index, session) in sent.enumerated() where settling.refused[index] != nil {
            settled[session.license] = max(settled[session.license] ?? 0, session.sequence)
        }
        var entries: [LedgerEntry] = []
        for (license, sequence) in settled.sorted(by: { $0.key < $1.key }) {
            guard let stored = ledgerContents.licenses[license] else { continue }
            var update = ledgerContents.used(stored, sequence, now)
            // A count for another version doesn't apply to the stored one; the next renewal settles it.
            if let use = settling.uses[license], use.version == stored.grant.version {
                update.ledger.take(use.used, settled: sequence, under: stored.grant)
            }
            store.putBack = update.putBack ?? store.putBack
            entries.append(.use(license, update.ledger, acknowledged: update.known))
        }
        return write([], entries)
    }

    /// Returns the licenses in ``LedgerContents/owed`` to the server. The result is the reason if that fails, otherwise
    /// `nil`.
    ///
    /// A license stays in the list until the server confirms that this device doesn't hold it or that the license
    /// doesn't exist. After any other response, the device still counts towards the device limit.
    nonisolated(nonsending) func giveBackOwed() async -> ToldReason? {
        guard !ledgerContents.owed.isEmpty else { return nil }
        // Use must be reported before its license leaves the ledger.
        if let problem = await reportUse() { return problem }
        guard let token = ledgerContents.token else { return ToldReason(Reason(.signInNeeded)) }
        var problem: ToldReason?
        for text in ledgerContents.owed {
            guard let license = ContentLicenseID(text: text) else { continue }
            switch await service.giveBack(license, request: service.newRequest(), token: token.text) {
            case .unknown(let unreached):
                network.want(after: unreached)
                return ToldReason(.unreached(unreached))
            case .refused(let no) where no.reasons.first?.code != Reason.Kind.contentLicenseUnknown.text:
                // The refusal concerns the request or the token, so the other licenses would fail as well.
                return no.reasons.first
            case .success(let answer) where !answer.isOver(license):
                problem = problem ?? answer.reasons.first ?? .unverifiedAnswer
            case .success, .refused:
                let left = ledgerContents.owed.filter { $0 != text }
                guard (try? store.commit([.gone(license), .note(.owed(left))])) != nil else { return problem }
            }
        }
        return problem
    }

    /// Writes the results of responses as one unit, then removes media that the server deleted; returns a reason if
    /// that fails.
    func write(_ updates: [LedgerContents.TakenIn], _ others: [LedgerEntry] = []) -> Reason? {
        if let problem = store.save(updates.flatMap(\.entries) + others + tokenEntries) { return problem }
        nextToken = nil
        for update in updates {
            store.putBack = update.putBack ?? store.putBack
            guard update.deletes,
                let media = ContentID(update.result.content).flatMap({ ledgerContents.contents[$0]?.file })
            else { continue }
            mediaRemoval(media)
        }
        plays.goOnPlaying()
        return nil
    }

    /// Keeps a new token for the next write, unless the holder has signed in again since the request.
    func noteNext(_ text: String?, after token: HolderToken) {
        guard let text, let stored = ledgerContents.token, stored.isSame(as: token) else { return }
        nextToken = (stored.successor(text, at: store.present), token)
    }

    /// The entry that stores a new token; empty if there is no new token or the holder has signed in again since.
    private var tokenEntries: [LedgerEntry] {
        guard let (next, before) = nextToken, ledgerContents.token?.isSame(as: before) == true else { return [] }
        return [.note(.token(next))]
    }
}

extension ContentItemAnswer {
    /// Whether the response confirms for good that this device doesn't hold the license.
    fileprivate func isOver(_ license: ContentLicenseID) -> Bool {
        outcome == .terminal && self.license == license || isOfUnknownLicense
    }
}
