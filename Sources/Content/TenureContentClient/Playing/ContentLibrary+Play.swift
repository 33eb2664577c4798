import TenureClient
import TenureContent
import TenureCore

extension ContentLibrary {
    /// Starts playing a content item.
    ///
    /// A playable item starts at once and is renewed during playback if that is due. Otherwise it is renewed first, for
    /// at most 10 seconds. If the server is unreachable, the request is remembered and retried when the network is
    /// back.
    ///
    /// - Parameters:
    ///   - name: The content item's id.
    ///   - confirmed: Whether the user agreed to a renewal, after an earlier `.asks`.
    public func play(_ name: String, confirmed: Bool = false) async -> PlayAnswer {
        guard let content = ContentID(name), let stored = ledgerContents[content] else {
            return refused(Reason(.contentNotKept))
        }
        if let media = ledgerContents.contents[content]?.file, !reader.mediaCheck(media) {
            return .refused(Explanation(Reason(.mediaMissing)), .redownload)
        }
        plays.end(stored.grant.license, because: nil)
        let isProven = hasProof(of: content)
        let evaluation = stored.grant.status(of: stored.ledger, at: store.instant())
        if !isProven || !evaluation.status.isPlayable {
            let present = {
                self.ledgerContents[content].map { $0.grant.status(of: $0.ledger, at: self.store.instant()).reasons }
                    ?? []
            }
            if stored.asksFirst, !confirmed, evaluation.isDue, let explanation = Explanation(evaluation.reasons) {
                return .asks(explanation)
            }
            switch await askToPlay(content, isProven: isProven, confirmed: confirmed) {
            case nil: break
            case .asks:
                let reasons = isProven ? present() : [Reason(.grantUnproven)] + present()
                return .asks(Explanation(reasons) ?? Explanation(Reason(.renewalUnconfirmed)))
            case .failed(let problem):
                return refused(isProven ? present() : [Reason(.grantUnproven)], [Reason(problem)])
            }
        }
        return begin(content, confirmed: confirmed)
    }

    /// Why an item still can't be played after a request to the server.
    private enum PlayObstacle: Sendable {
        /// The user must agree before the renewal.
        case asks
        /// The renewal failed, for this reason.
        case failed(ToldReason)
    }

    /// Whether the stored bytes prove the grant under the current keys.
    private func hasProof(of content: ContentID) -> Bool {
        guard let grant = ledgerContents[content]?.grant, let proof = store.durableLedger.proof(of: grant.license)
        else {
            return false
        }
        return service.proves(proof, grant)
    }

    /// The longest wait for a license before a play, in seconds.
    private static let renewalTimeout = 10

    /// Requests the server's time and, if needed, a renewal.
    ///
    /// - Returns: What still prevents playback; `nil` if the item seems playable now.
    private func askToPlay(_ content: ContentID, isProven: Bool, confirmed: Bool) async -> PlayObstacle? {
        service.keys.lookAnew()
        let asking = Task { () -> PlayObstacle? in
            if let problem = await server.checkIn(quickly: true) { return .failed(problem) }
            // The response with the time may also have included the signing key of the grant.
            let isProven = isProven || hasProof(of: content)
            if isProven, let stored = ledgerContents[content],
                stored.grant.status(of: stored.ledger, at: store.instant()).status.isPlayable
            {
                return nil
            }
            if ledgerContents.asksFirst(content), !confirmed { return .asks }
            let chunk = await renewer.request([content], always: !isProven, quickly: true)
            let update = renewer.takeIn(chunk)
            return (chunk.obstacle ?? update.results.first?.reasons.first).map { .failed($0) }
        }
        let sleep = clocks.idle
        let alarm = Task {
            try await sleep(.seconds(Self.renewalTimeout))
            asking.cancel()
        }
        let obstacle = await asking.value
        alarm.cancel()
        var requested: String?
        // A remembered play is renewed without asking the user, so it is stored only if no agreement is missing.
        if case .failed(let problem) = obstacle, problem.code == Reason.Kind.contentUnreached.text,
            confirmed || !ledgerContents.asksFirst(content)
        {
            requested = content.text
        }
        if ledgerContents.requestedContent != requested { try? store.commit([.note(.requestedContent(requested))]) }
        return obstacle
    }

    private func begin(_ content: ContentID, confirmed: Bool) -> PlayAnswer {
        // Another play of the item may have started during the wait.
        if let license = ledgerContents.holding[content] { plays.end(license, because: nil) }
        guard let stored = ledgerContents[content] else { return refused(Reason(.contentNotKept)) }
        guard hasProof(of: content) else { return refused(Reason(.grantUnproven)) }
        let instant = store.instant()
        if stored.grant.status(of: stored.ledger, at: instant).isDue, confirmed || !stored.asksFirst {
            renewBehind(content)
        }
        let ledger: ContentLedger
        switch stored.ledger.opening(.random(), under: stored.grant, at: instant) {
        case .refused(let refusal): return refused(refusal.reasons)
        case .granted(let opened): ledger = opened
        }
        var facts = ledgerContents.contents[content] ?? ContentFacts(content)
        facts.playedAt = instant.now
        let entry = ledger.entry(of: stored.grant.license, after: stored.ledger, acknowledged: stored.acknowledged)
        if let problem = store.save([entry, .content(facts)], isTimed: true) { return refused(problem) }
        if let token = server.beginReplacingToken() { Task { await server.replace(token) } }
        let events = plays.begin(content, stored.grant.license)
        return .plays(ContentPlayback(content.text, stored.grant.license, self, events))
    }

    /// Records rendered media and returns whether the play may continue.
    func advance(_ license: ContentLicenseID, rendered: Int64) -> PlayContinuation {
        goOn(license, plays.advance(license, rendered: rendered))
    }

    func pause(_ license: ContentLicenseID) {
        if plays.isShown(license) { _ = advance(license, rendered: 0) }
        plays.pause(license)
    }

    func resume(_ license: ContentLicenseID) -> PlayContinuation { goOn(license, plays.resume(license)) }

    func end(_ license: ContentLicenseID) { plays.end(license, because: nil) }

    /// Sends the warning of a play's end if it's due, and renews the play's item if necessary.
    private func goOn(_ license: ContentLicenseID, _ continuation: PlayContinuation) -> PlayContinuation {
        if continuation == .goesOn, let content = plays.warn(license) { renewBehind(content) }
        return continuation
    }

    private func refused(_ reasons: [Reason], _ others: [Reason] = []) -> PlayAnswer {
        // The server may have given a reason that the stored state already gives.
        let all = reasons + others.filter { other in !reasons.contains { $0.code == other.code } }
        guard let explanation = Explanation(all) else { return refused(Reason(.contentNotKept)) }
        // The server's new reasons come first, because they decide which option helps.
        return .refused(explanation, RecoveryOption(for: others + reasons, isMediaWhole: true))
    }

    private func refused(_ reason: Reason) -> PlayAnswer { refused([reason]) }

    /// Renews an item during playback.
    ///
    /// A failure doesn't stop the play.
    private func renewBehind(_ content: ContentID) {
        guard renewedBehind.insert(content).inserted else { return }
        Task {
            await renewals.renew(.items([content.text]), .given)
            renewedBehind.remove(content)
        }
    }
}

extension PlaySessionID {
    /// A new random id of 128 bits.
    static func random() -> PlaySessionID {
        var generator = SystemRandomNumberGenerator()
        return PlaySessionID(high: generator.next(), low: generator.next())
    }
}
