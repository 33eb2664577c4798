import TenureClient
import TenureCore
import TenureFormats
import TenureVault

extension ContentLibrary {
    /// How many licenses are asked about at once.
    static let chunk = 100
    /// How often a chunk is asked about before its contents are left for later.
    private static let attempts = 3

    /// Asks about all that a job has left, chunk by chunk.
    func work(on job: RenewalJob, _ running: RunningRenewal) async -> RenewalReport {
        service.keys.lookAnew()
        var told = job.results.enumerated().map { progress($0.offset, of: job, $0.element) }
        var left = job.left.compactMap { ContentID($0) }
        let withheld = running.withheld
        // Where nothing may be asked about, nobody is reached.
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

    /// Writes the job down, asks whether the server is there, and reports use; answers what keeps it from going on.
    private func begin(_ job: RenewalJob) async -> ToldReason? {
        do throws(VaultError) {
            if shelf.job?.id != job.id, !isOutlived(job) { try commit([.note(.job(job))]) }
        } catch {
            return ToldReason(.unwritable(error))
        }
        if let problem = await checkIn() { return problem }
        return await reportUse()
    }

    /// Whether a renewal that was cut off has more left than this one is about: it is kept, to be gone on with.
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

    /// Asks about up to 100 contents; what comes is still to be taken in.
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
                    // The server was put back to a backup. The same question again, with what it lost, is the same renewal.
                    proofs = Set(needed)
                    continue
                }
                let chunk = await askedAnew(AskedChunk(contents, answers, settling.settled), token, quickly)
                return await renewedFurther(chunk, always: always, token, quickly)
            case .no(let no):
                // Told apart from the server's silence: it is about the request or the token, and asking again is no use.
                return AskedChunk(contents, untold: no.reasons.first ?? .unverifiedAnswer)
            case .unknown(let unreached):
                attempt += 1
                let reason = ToldReason(.unreached(unreached))
                // A server that is busy may have time for others; where there is no network, there is none for anybody.
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

    /// Asks for licenses in place of those that the server does not know.
    private func askedAnew(_ chunk: AskedChunk, _ token: HolderToken, _ quickly: Bool) async -> AskedChunk {
        var chunk = chunk
        for (index, (content, outcome)) in chunk.outcomes.enumerated() {
            guard case .told(let told) = outcome, told.answer.isOfUnknownLicense else { continue }
            chunk.outcomes[index].outcome = .told(await askAnew(content, told, token, quickly))
        }
        return chunk
    }

    /// A license for a content whose license the server does not know; what it says to that goes behind why it was asked.
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
