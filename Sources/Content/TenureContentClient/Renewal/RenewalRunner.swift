import TenureClient
import TenureContent
import TenureCore
import TenureFoundation

/// Runs renewals one after the other.
///
/// A new renewal that the running one covers joins it instead.
final class RenewalRunner {
    private let renewer: LicenseRenewer
    private let consent: ConsentPrompt
    private let keys: MediaKeyUpdater
    /// The renewal in progress; `nil` if none is running.
    private(set) var running: RunningRenewal?
    /// The listeners that left before their renewal started.
    private var departed: Set<UUID> = []
    private var server: ServerSync { renewer.server }
    private var store: LicenseStore { renewer.store }
    private var ledgerContents: LedgerContents { store.ledgerContents }

    init(_ renewer: LicenseRenewer, _ consent: ConsentPrompt, _ keys: MediaKeyUpdater) {
        self.renewer = renewer
        self.consent = consent
        self.keys = keys
    }

    /// The maximum number of licenses in one request.
    private static let chunk = 100

    /// Removes a listener, whether or not its renewal has started.
    func leave(_ id: UUID) {
        if running?.leave(id) != true { departed.insert(id) }
    }

    /// Renews the items of a scope.
    ///
    /// - Parameter isInListOrder: Whether the results are ordered like the list of contents, instead of by urgency.
    @discardableResult
    nonisolated(nonsending) func renew(
        _ scope: RenewalScope, _ consent: RenewalConsent, listener: RenewalListener? = nil, isInListOrder: Bool = false
    ) async -> RenewalReport {
        await renew(always: scope.isAlways, listener, consent, isInListOrder: isInListOrder) {
            let planned = ledgerContents.plan(scope, at: store.instant()).map(\.text)
            guard isInListOrder else { return planned }
            let chosen = Set(planned)
            return store.reader.keptContents().map(\.content.text).filter { chosen.contains($0) }
        }
    }

    /// Resumes an interrupted renewal, or discards one that is too old.
    nonisolated(nonsending) func goOnWithCutOff(_ consent: RenewalConsent) async {
        guard running == nil, ledgerContents.job != nil else { return }
        guard let job = cutOff else {
            try? store.commit([.note(.job(nil))])
            return
        }
        await renew(always: job.isAlways, nil, consent) { job.left }
    }

    @discardableResult
    nonisolated(nonsending) private func renew(
        always isAlways: Bool, _ listener: RenewalListener?, _ consent: RenewalConsent, isInListOrder: Bool = false,
        _ plan: () -> [String]
    ) async -> RenewalReport {
        let agreed = await self.consent.agreed(to: plan(), consent)
        let withheld = { (contents: [String]) in
            Set(
                contents.filter { name in
                    !agreed.contains(name) && ContentID(name).map(self.ledgerContents.asksFirst) ?? false
                }
            )
        }
        var earlier: RenewalJob?
        while let running {
            let contents = plan()
            let isInOrder = !isInListOrder || running.hasOrder(of: contents)
            if isInOrder, running.absorbs(contents, isAlways: isAlways, withheld: withheld(contents)) {
                running.listen(listener)
                await running.wait()
                return running.report ?? .nothing
            }
            await running.wait()
            // Items that were renewed while this renewal waited aren't renewed again only because the order differs.
            if !isInOrder { earlier = running.finishedJob }
            if self.running === running { self.running = nil }
        }
        if let listener, departed.remove(listener.id) != nil { return .nothing }
        let contents = plan()
        let job =
            resumed(earlier ?? cutOff, contents, isAlways, takesFinished: earlier != nil)
            ?? RenewalJob(
                id: server.service.newRequest(), isAlways: isAlways, contents: contents, startedAt: Moment(store.now))
        let running = RunningRenewal(job, withheld: withheld(job.left))
        self.running = running
        running.listen(listener)
        let report = await work(on: job, running, reporting: Set(contents))
        running.tell(.finished(report))
        if self.running === running { self.running = nil }
        if !server.network.wants { await server.keepSignedIn() }
        await keys.updateKeys()
        return report
    }

    /// How long after its start an interrupted renewal is resumed, in seconds.
    private static let resumedWithin: Int64 = 86_400

    /// The interrupted renewal with its remaining items; `nil` if there isn't one or it is too old.
    private var cutOff: RenewalJob? {
        guard let job = ledgerContents.job, !job.left.isEmpty,
            job.startedAt.timestamp.seconds(until: store.now) < Self.resumedWithin
        else { return nil }
        return job
    }

    /// The earlier renewal, if resuming it covers the requested items; otherwise `nil`.
    ///
    /// Only items that were renewed and aren't due now have a result. All others are requested again.
    private func resumed(
        _ job: RenewalJob?, _ contents: [String], _ isAlways: Bool, takesFinished: Bool
    ) -> RenewalJob? {
        let instant = store.instant()
        return job?.resumed(
            for: contents, isAlways: isAlways, id: server.service.newRequest(), takesFinished: takesFinished
        ) { result in
            guard result.outcome == RenewalOutcome.renewed.rawValue, let content = ContentID(result.content),
                let stored = ledgerContents[content]
            else { return false }
            let evaluation = stored.grant.status(of: stored.ledger, at: instant)
            return evaluation.status.isPlayable && !evaluation.isDue
        }
    }

    /// Processes all remaining items of a job in chunks.
    ///
    /// - Parameter requestedItems: The items whose earlier results are reported, too, each at its offset.
    nonisolated(nonsending) private func work(
        on job: RenewalJob, _ running: RunningRenewal, reporting requestedItems: Set<String>
    ) async -> RenewalReport {
        server.service.keys.lookAnew()
        let offsets = Dictionary(job.contents.enumerated().map { ($1, $0) }) { first, _ in first }
        var reported = job.results.map { progress(offsets[$0.content] ?? 0, of: job, $0) }
        var earlier = reported.filter { requestedItems.contains($0.content) }.sorted { $0.index < $1.index }[...]
        let report = { (progress: RenewalProgress?) in
            while let next = earlier.first, next.index < progress?.index ?? .max {
                running.tell(.progress(next))
                earlier.removeFirst()
            }
            if let progress { running.tell(.progress(progress)) }
        }
        var left = job.left.compactMap { ContentID($0) }
        let withheld = running.withheld
        // If all remaining items need an agreement, no request is sent.
        var obstacle = left.allSatisfy { withheld.contains($0.text) } ? nil : await begin(job)
        while !left.isEmpty, !running.isAbandoned {
            let some = Array(left.prefix(Self.chunk))
            left.removeFirst(some.count)
            let open = some.filter { !withheld.contains($0.text) }
            let chunk: AskedChunk
            if let obstacle {
                chunk = AskedChunk(open, untold: obstacle)
            } else {
                chunk = await renewer.request(open, always: job.isAlways)
            }
            let (results, problem) = renewer.takeIn(chunk.among(some), of: job)
            obstacle = problem.map { ToldReason($0) } ?? chunk.obstacle
            for result in results {
                let progress = progress(offsets[result.content] ?? 0, of: job, result)
                reported.append(progress)
                report(progress)
            }
        }
        if left.isEmpty { report(nil) }
        if ledgerContents.job?.id == job.id { try? store.commit([.note(.job(nil))]) }
        return RenewalReport(
            items: reported.sorted { $0.index < $1.index }, total: job.contents.count, isCancelled: !left.isEmpty)
    }

    /// Stores the job, checks the server and reports use; returns what prevents the job, or `nil`.
    nonisolated(nonsending) private func begin(_ job: RenewalJob) async -> ToldReason? {
        if ledgerContents.job?.id != job.id, !isOutlived(job), let problem = store.save([.note(.job(job))]) {
            return ToldReason(problem)
        }
        if let problem = await server.checkIn() { return problem }
        return await server.reportUse()
    }

    /// Whether an interrupted renewal has remaining items that this job doesn't cover.
    ///
    /// In that case, the interrupted job stays in the ledger for later.
    private func isOutlived(_ job: RenewalJob) -> Bool {
        guard let other = cutOff else { return false }
        return !Set(job.contents).isSuperset(of: other.left)
    }

    private func progress(_ index: Int, of job: RenewalJob, _ result: RenewalResult) -> RenewalProgress {
        let media = ContentID(result.content).flatMap { ledgerContents.contents[$0]?.file }
        return RenewalProgress(
            index, of: job.contents.count, result, isMediaWhole: media.map(store.reader.mediaCheck) ?? true)
    }
}

extension RenewalScope {
    /// Whether to renew items that the server doesn't consider due, too.
    var isAlways: Bool {
        switch self {
        case .due(let seconds): seconds > 0
        case .expired: false
        case .all, .items, .neededThrough: true
        }
    }
}

extension RenewalReport {
    static let nothing = RenewalReport(items: [], total: 0, isCancelled: true)
}
