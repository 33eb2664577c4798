import TenureClient
import TenureCore
import TenureCrypto
import TenureVault

extension ContentLibrary {
    /// Plays a content.
    ///
    /// What plays, plays at once, and is renewed behind when that is due. What does not is renewed first, for 10 s at most;
    /// when nobody can be asked, that it was wanted is remembered, and it is asked for when the network is back.
    /// - Parameter confirmed: Whether the person was asked, where the vendor wants that (`.asks`).
    public func play(_ name: String, confirmed: Bool = false) async -> PlayAnswer {
        guard let content = ContentID(name), let kept = shelf[content] else { return refused(Reason(.contentNotKept)) }
        if let facts = shelf.contents[content], let path = facts.media,
            !mediaCheck(MediaFile(content: name, path: path, bytes: facts.bytes))
        {
            return .refused(Explanation(Reason(.mediaMissing)), .redownload)
        }
        end(kept.grant.license, because: nil)
        let isProven = hasProof(of: content)
        let standing = kept.grant.status(of: kept.ledger, at: moment())
        if !isProven || !standing.status.isPlayable {
            if let first = standing.reasons.first, kept.grant.terms.askBeforeRenew, !confirmed, standing.isDue {
                return .asks(Explanation(first, Array(standing.reasons.dropFirst())))
            }
            if let problem = await askToPlay(content, isProven: isProven) {
                let reasons = shelf[content].map { $0.grant.status(of: $0.ledger, at: moment()).reasons } ?? []
                return refused(isProven ? reasons : [Reason(.grantUnproven)], [Reason(problem)])
            }
        }
        return begin(content)
    }

    /// Whether the kept bytes prove the grant, by the keys that are known here.
    private func hasProof(of content: ContentID) -> Bool {
        guard let grant = shelf[content]?.grant, let proof = book.proof(of: grant.license) else { return false }
        return service.proves(proof, grant)
    }

    /// How long a person waits for a license before a play, in seconds.
    private static let patience = 10

    /// Asks for what keeps a content from being played: the time, or a renewal. Answers what kept anybody from saying
    /// yes; nil when the content may play now, for all that is known.
    private func askToPlay(_ content: ContentID, isProven: Bool) async -> ToldReason? {
        service.keys.lookAnew()
        let asking = Task { () -> ToldReason? in
            if let problem = await checkIn(quickly: true) { return problem }
            // With the time there may have come the key that the grant was signed with.
            let isProven = isProven || hasProof(of: content)
            if isProven, let kept = shelf[content], kept.grant.status(of: kept.ledger, at: moment()).status.isPlayable {
                return nil
            }
            let asked = await ask([content], always: !isProven, quickly: true)
            let taken = takeIn(asked)
            return asked.obstacle ?? taken.results.first?.reasons.first
        }
        let sleep = clocks.idle
        let alarm = Task {
            try await sleep(.seconds(Self.patience))
            asking.cancel()
        }
        let problem = await asking.value
        alarm.cancel()
        let isUnreached = problem?.code == Reason.Kind.contentUnreached.text
        let wish = isUnreached ? content.text : nil
        if shelf.wish != wish { try? commit([.note(.wish(wish))]) }
        return problem
    }

    private func begin(_ content: ContentID) -> PlayAnswer {
        // Another play of it may have begun while somebody was asked.
        if let license = shelf.holding[content] { end(license, because: nil) }
        guard let kept = shelf[content] else { return refused(Reason(.contentNotKept)) }
        guard hasProof(of: content) else { return refused(Reason(.grantUnproven)) }
        let moment = moment()
        if kept.grant.status(of: kept.ledger, at: moment).isDue { renewBehind(content) }
        let ledger: ContentLedger
        switch kept.ledger.opening(.random(), under: kept.grant, at: moment) {
        case .refused(let refusal): return refused(refusal.reasons)
        case .granted(let opened): ledger = opened
        }
        var facts = shelf.contents[content] ?? ContentFacts(content)
        facts.playedAt = moment.now
        do throws(VaultError) {
            let entry = ledger.entry(of: kept.grant.license, after: kept.ledger, known: kept.known)
            try commit([entry, .content(facts)])
        } catch {
            return refused(Reason.unwritable(error))
        }
        if shelf.token?.isSuccessorDue(at: moment.now) == true { Task { await keepSignedIn() } }
        let (events, teller) = AsyncStream<PlayEvent>.makeStream()
        plays[kept.grant.license] = RunningMeter(content, teller)
        return .plays(ContentPlayback(content.text, kept.grant.license, self, events))
    }

    private func refused(_ reasons: [Reason], _ others: [Reason] = []) -> PlayAnswer {
        // The server may have said again what is known here.
        let all = reasons + others.filter { other in !reasons.contains { $0.code == other.code } }
        guard let first = all.first else { return refused(Reason(.contentNotKept)) }
        // What was answered now says more about what helps than what is wrong with the license.
        return .refused(
            Explanation(first, Array(all.dropFirst())), RecoveryOption(for: others + reasons, isMediaWhole: true))
    }

    private func refused(_ reason: Reason) -> PlayAnswer { refused([reason]) }

    /// Renews a content behind a play; a failure of that stops nothing.
    func renewBehind(_ content: ContentID) {
        guard renewedBehind.insert(content).inserted else { return }
        Task {
            await renew(.items([content.text]), listener: nil)
            renewedBehind.remove(content)
        }
    }
}

extension PlaySessionID {
    /// A new one, of 128 random bits.
    static func random() -> PlaySessionID {
        var generator = SystemRandomNumberGenerator()
        return PlaySessionID(high: generator.next(), low: generator.next())
    }
}
