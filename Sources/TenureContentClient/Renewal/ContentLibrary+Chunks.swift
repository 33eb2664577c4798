import TenureClient
import TenureCore
import TenureFormats

extension ContentLibrary {
    /// How many licenses are asked about at once.
    static let chunk = 100
    /// How often a chunk is asked about before its contents are left for later.
    private static let attempts = 3

    /// Asks about all that a job has left, chunk by chunk.
    func work(on job: RenewalJob, _ running: RunningRenewal) async -> RenewalReport {
        var told = job.results.enumerated().map { progress($0.offset, of: job, $0.element) }
        var left = job.left.compactMap { ContentID($0) }
        var obstacle: ToldReason? = left.isEmpty ? nil : await begin(job)
        while !left.isEmpty, !running.isAbandoned {
            let some = Array(left.prefix(Self.chunk))
            left.removeFirst(some.count)
            var taken: [Shelf.TakenIn]
            if let obstacle {
                taken = some.map { shelf.failed($0, obstacle, moment().now) }
            } else {
                (taken, obstacle) = await ask(some, always: job.isAlways)
            }
            if let error = write(taken, [.note(.told(taken.map(\.result)))]) {
                // What was answered is not on disk, so it was not: the old licenses stay, and the next renewal asks again.
                let unwritten = ToldReason(.unwritable(error))
                obstacle = unwritten
                taken = some.map { shelf.failed($0, unwritten, moment().now) }
            }
            for one in taken {
                let progress = progress(told.count, of: job, one.result)
                told.append(progress)
                running.tell(.progress(progress))
            }
        }
        try? commit([.note(.job(nil))])
        return RenewalReport(items: told, total: job.contents.count, isCancelled: !left.isEmpty)
    }

    /// Writes the job down, asks whether the server is there, and reports use; answers what keeps it from going on.
    private func begin(_ job: RenewalJob) async -> ToldReason? {
        do throws(VaultError) {
            if shelf.job?.id != job.id { try commit([.note(.job(job))]) }
        } catch {
            return ToldReason(.unwritable(error))
        }
        if let problem = await checkIn() { return problem }
        return await reportUse()
    }

    private func progress(_ index: Int, of job: RenewalJob, _ result: RenewalResult) -> RenewalProgress {
        let media = ContentID(result.content).flatMap { shelf.contents[$0] }.flatMap { facts in
            facts.media.map { MediaFile(content: result.content, path: $0, bytes: facts.bytes) }
        }
        return RenewalProgress(
            index, of: job.contents.count, result, isMediaWhole: media.map(mediaCheck) ?? true)
    }

    /// Writes what answers came to, all or nothing, and removes what is to be deleted.
    func write(_ taken: [Shelf.TakenIn], _ others: [LedgerEntry] = []) -> VaultError? {
        do throws(VaultError) {
            try commit(taken.flatMap(\.entries) + others + tokenEntries)
            renewedToken = nil
        } catch {
            return error
        }
        for one in taken {
            putBack = one.putBack ?? putBack
            guard one.deletes, let facts = ContentID(one.result.content).flatMap({ shelf.contents[$0] }),
                let path = facts.media
            else { continue }
            mediaRemoval(MediaFile(content: one.result.content, path: path, bytes: facts.bytes))
        }
        return nil
    }

    /// Asks about up to 100 contents; answers what came of each, and what keeps anybody from asking about more.
    func ask(
        _ contents: [ContentID], always: Bool, quickly: Bool = false
    ) async -> ([Shelf.TakenIn], ToldReason?) {
        let failed = { (reason: ToldReason) in contents.map { self.shelf.failed($0, reason, self.moment().now) } }
        guard let token = shelf.token else {
            let reason = ToldReason(Reason(.signInNeeded))
            return (failed(reason), reason)
        }
        var proofs: Set<ContentID> = []
        var attempt = 0
        while true {
            let kept = contents.compactMap { content in shelf[content].map { (content, $0) } }
            let items = kept.map { content, kept in
                RenewalItem(
                    license: kept.grant.license, version: kept.grant.version,
                    proof: proofs.contains(content) ? book.proof(of: kept.grant.license) : nil)
            }
            if items.isEmpty { return (contents.map { notKept($0) }, nil) }
            let usage = kept.flatMap { $0.1.unreported(at: moment().now) }.prefix(500)
            let reply = await service.renew(
                items, always: always, usage: Array(usage), request: newRequest(), token: token.text, quickly: quickly)
            switch reply {
            case .yes(let settling):
                if let token = settling.token { renewedToken = HolderToken(token) }
                let needed = zip(kept, settling.items).filter { $0.1.reasons.first?.code == "grant_needed" }.map(\.0.0)
                if proofs.isEmpty, !needed.isEmpty {
                    // The server was put back to a backup. The same question again, with what it lost, is the same renewal.
                    proofs = Set(needed)
                    continue
                }
                return (await takeIn(contents, settling, token, quickly), nil)
            case .no(let no):
                // Told apart from the server's silence: it is about the request or the token, and asking again is no use.
                let reason = no.reasons.first ?? .unverifiedAnswer
                return (failed(reason), reason)
            case .unknown(let unreached):
                attempt += 1
                let reason = ToldReason(.unreached(unreached))
                // A server that is busy may have time for others; where there is no network, there is none for anybody.
                guard unreached.cause == .busy else {
                    wantNetwork()
                    return (failed(reason), reason)
                }
                let wait = max(Double(unreached.retryAfter ?? 0), clocks.random(min(300, 2 * Double(1 << attempt))))
                guard !quickly, attempt < Self.attempts, wait <= 300 else {
                    wantNetwork()
                    return (failed(reason), nil)
                }
                try? await clocks.sleep(.milliseconds(Int(wait * 1_000)))
            }
        }
    }

    private func notKept(_ content: ContentID) -> Shelf.TakenIn {
        let reason = ToldReason(Reason(.contentNotKept))
        return Shelf.TakenIn(result: RenewalResult(content.text, "invalid", [reason]), entries: [])
    }

    private func takeIn(
        _ contents: [ContentID], _ settling: ContentSettling, _ token: HolderToken, _ quickly: Bool
    ) async -> [Shelf.TakenIn] {
        var answers = settling.items[...]
        var taken: [Shelf.TakenIn] = []
        for content in contents {
            guard let license = shelf[content]?.grant.license, var answer = answers.popFirst() else {
                taken.append(notKept(content))
                continue
            }
            // What was played so far is charged to the version that it was played under.
            flush(license)
            if answer.outcome == .invalid, answer.reasons.first?.code == Reason.Kind.contentLicenseUnknown.text {
                answer = await askAnew(content, answer, token, quickly)
            }
            if answer.outcome == .transient { wantNetwork() }
            taken.append(
                shelf.takingIn(answer, about: content, settled: settling.settled[license], at: moment().now))
        }
        return taken
    }

    /// A license for a content whose license the server does not know; what it says to that goes behind why it was asked.
    private func askAnew(
        _ content: ContentID, _ answer: ContentItemAnswer, _ token: HolderToken, _ quickly: Bool
    ) async -> ContentItemAnswer {
        let reply = await service.license(content, request: newRequest(), token: token.text, quickly: quickly)
        switch reply {
        case .yes(let given) where given.grant != nil: return given
        case .yes(let other):
            var both = answer
            both.reasons += other.reasons
            return both
        case .no(let no):
            var both = answer
            both.reasons += no.reasons
            return both
        case .unknown(let unreached):
            var both = answer
            (both.outcome, both.reasons) = (.transient, [ToldReason(.unreached(unreached))] + answer.reasons)
            return both
        }
    }
}
