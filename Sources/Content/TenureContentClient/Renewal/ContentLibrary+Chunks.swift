import TenureContent
import TenureClient
import TenureCore
import TenureVault

extension ContentLibrary {
    /// The maximum number of licenses in one request.
    static let chunk = 100
    /// How often to try a chunk before leaving its items for later.
    private static let attempts = 3

    /// Processes all remaining items of a job in chunks.
    func work(on job: RenewalJob, _ running: RunningRenewal) async -> RenewalReport {
        service.keys.lookAnew()
        var told = job.results.enumerated().map { progress($0.offset, of: job, $0.element) }
        var left = job.left.compactMap { ContentID($0) }
        let withheld = running.withheld
        // If all remaining items need an agreement, no request is sent.
        var obstacle = left.allSatisfy { withheld.contains($0.text) } ? nil : await begin(job)
        while !left.isEmpty, !running.isAbandoned {
            let some = Array(left.prefix(Self.chunk))
            left.removeFirst(some.count)
            let open = some.filter { !withheld.contains($0.text) }
            let asked: AskedChunk
            if let obstacle {
                asked = AskedChunk(open, untold: obstacle)
            } else {
                asked = await ask(open, always: job.isAlways)
            }
            let (results, error) = takeIn(asked.among(some), of: job)
            obstacle = error.map { ToldReason(.unwritable($0)) } ?? asked.obstacle
            for result in results {
                let progress = progress(told.count, of: job, result)
                told.append(progress)
                running.tell(.progress(progress))
            }
        }
        if shelf.job?.id == job.id { try? commit([.note(.job(nil))]) }
        return RenewalReport(items: told, total: job.contents.count, isCancelled: !left.isEmpty)
    }

    /// Stores the job, checks the server and reports use; returns what prevents the job, or `nil`.
    private func begin(_ job: RenewalJob) async -> ToldReason? {
        do throws(VaultError) {
            if shelf.job?.id != job.id, !isOutlived(job) { try commit([.note(.job(job))]) }
        } catch {
            return ToldReason(.unwritable(error))
        }
        if let problem = await checkIn() { return problem }
        return await reportUse()
    }

    /// Whether an interrupted renewal has items that this job doesn't cover.
    ///
    /// That job is then kept for later.
    private func isOutlived(_ job: RenewalJob) -> Bool {
        guard let other = cutOff else { return false }
        return !Set(job.contents).isSuperset(of: other.left)
    }

    private func progress(_ index: Int, of job: RenewalJob, _ result: RenewalResult) -> RenewalProgress {
        let media = ContentID(result.content).flatMap { shelf.contents[$0] }.flatMap { facts in
            facts.media.map { MediaFile(content: result.content, path: $0, bytes: facts.bytes) }
        }
        return RenewalProgress(
            index, of: job.contents.count, result, isMediaWhole: media.map(mediaCheck) ?? true)
    }

    /// Asks the server about up to 100 items, without applying the responses.
    func ask(_ contents: [ContentID], always: Bool, quickly: Bool = false) async -> AskedChunk {
        guard let token = shelf.token else {
            return AskedChunk(contents, untold: ToldReason(Reason(.signInNeeded)))
        }
        var proofs: Set<ContentLicenseID> = []
        var attempt = 0
        while true {
            let asked = contents.compactMap { content -> KeptLicense? in
                shelf[content].flatMap { shelf.isOwed($0.grant.license) ? nil : $0 }
            }
            guard !asked.isEmpty else { return AskedChunk(contents, []) }
            let items = asked.map { kept in
                let license = kept.grant.license
                return RenewalItem(
                    license: license, version: kept.grant.version,
                    proof: proofs.contains(license) ? book.proof(of: license) : nil)
            }
            let usage = asked.flatMap { $0.unreported(at: moment().now) }.prefix(500)
            let reply = await service.renew(
                items, always: always, usage: Array(usage), request: newRequest(), token: token.text, quickly: quickly)
            switch reply {
            case .yes(let settling):
                noteNext(settling.token, after: token)
                let grants = asked.map(\.grant)
                let answers = grants.enumerated().map { ($1, settling.answer(about: $1, at: $0)) }
                let needed = answers.filter { $0.1?.reasons.first?.code == "grant_needed" }.map(\.0.license)
                if proofs.isEmpty, !needed.isEmpty {
                    // The server was restored from a backup. Repeating the request with the lost grants is the same
                    // renewal.
                    proofs = Set(needed)
                    continue
                }
                let chunk = await askedAnew(AskedChunk(contents, answers, settling.settled), token, quickly)
                return await renewedFurther(chunk, always: always, token, quickly)
            case .no(let no):
                // A refusal concerns the request or the token, so a retry doesn't help.
                return AskedChunk(contents, untold: no.reasons.first ?? .unverifiedAnswer)
            case .unknown(let unreached):
                attempt += 1
                let reason = ToldReason(.unreached(unreached))
                // A busy server may respond to later chunks; without a network, none would succeed.
                guard unreached.cause == .busy else {
                    wantNetwork(unreached)
                    return AskedChunk(contents, untold: reason)
                }
                let wait = max(Double(unreached.retryAfter ?? 0), clocks.random(min(300, 2 * Double(1 << attempt))))
                guard !quickly, attempt < Self.attempts, wait <= 300 else {
                    wantNetwork(unreached)
                    return AskedChunk(contents, untold: reason, stops: false)
                }
                try? await clocks.sleep(.milliseconds(Int(wait * 1_000)))
            }
        }
    }

    /// Requests new licenses in place of those that the server doesn't know.
    private func askedAnew(_ chunk: AskedChunk, _ token: HolderToken, _ quickly: Bool) async -> AskedChunk {
        var chunk = chunk
        for (index, (content, outcome)) in chunk.outcomes.enumerated() {
            guard case .told(let told) = outcome, told.answer.isOfUnknownLicense else { continue }
            chunk.outcomes[index].outcome = .told(await askAnew(content, told, token, quickly))
        }
        return chunk
    }

    /// Requests a new license for an item.
    ///
    /// A refusal's reasons are appended to the earlier ones.
    private func askAnew(
        _ content: ContentID, _ told: AskedChunk.Told, _ token: HolderToken, _ quickly: Bool
    ) async -> AskedChunk.Told {
        var told = told
        switch await service.license(content, request: newRequest(), token: token.text, quickly: quickly) {
        case .yes(let given) where given.grant != nil:
            told = AskedChunk.Told(answer: given, about: told.about, isAnew: true, settled: nil)
        case .yes(let other): told.answer.reasons += other.reasons
        case .no(let no): told.answer.reasons += no.reasons
        case .unknown(let unreached):
            told.answer.outcome = .transient
            told.answer.reasons.insert(ToldReason(.unreached(unreached)), at: 0)
        }
        return told
    }
}
