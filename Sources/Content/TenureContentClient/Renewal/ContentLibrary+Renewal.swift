import TenureContent
public import Foundation
public import TenureClient
import TenureCore

extension ContentLibrary {
    /// Renews content items and streams the result of each one, in order, followed by a report.
    ///
    /// Only one renewal runs at a time. If the running one covers this scope, the stream replays it from its start;
    /// otherwise this renewal waits for its end. Each request covers up to 100 items. A license stays valid until its
    /// replacement is verified and on disk.
    ///
    /// A renewal that was interrupted when the app ended is resumed and reports the remaining items. When the last
    /// listener cancels its stream, the renewal stops after the current chunk.
    ///
    /// - Parameters:
    ///   - scope: The items to renew.
    ///   - confirmed: Whether the user already agreed; see ``askBeforeRenewing(_:)``.
    public nonisolated func renew(_ scope: RenewalScope, confirmed: Bool = false) -> AsyncStream<RenewalEvent> {
        AsyncStream { listener in
            let id = UUID()
            Task { await self.renew(scope, listener: (id, listener), confirmed ? .given : .asked) }
            listener.onTermination = { reason in
                guard case .cancelled = reason else { return }
                Task { await self.leave(id) }
            }
        }
    }

    /// Renews content items and returns the report when all are done.
    @discardableResult
    public func renewed(_ scope: RenewalScope, confirmed: Bool = false) async -> RenewalReport {
        await renew(scope, listener: nil, confirmed ? .given : .asked)
    }

    /// Predicts the result of a renewal from the stored state, without sending a request or changing anything.
    public func forecast(_ scope: RenewalScope) -> RenewalForecast {
        let moment = moment()
        let planned = shelf.plan(scope, at: moment)
        return RenewalForecast(
            asked: planned.map(\.text),
            due: planned.filter { shelf[$0].map { $0.grant.status(of: $0.ledger, at: moment).isDue } ?? false }
                .map(\.text),
            refused: planned.compactMap { content in
                let reasons = shelf.refusal(of: content, at: moment.now)
                guard let first = reasons.first else { return nil }
                return .init(content: content.text, explanation: Explanation(first, Array(reasons.dropFirst())))
            }, unconfirmed: planned.filter(asksFirst).map(\.text))
    }

    /// A content item that stops being playable before a given time unless it is renewed.
    public struct Lapse: Sendable, Hashable {
        /// The id of the content item.
        public let content: String
        /// When the item stops being playable.
        public let at: Date
        /// The reasons.
        public let explanation: Explanation
    }

    /// The items that stop being playable before a given time, for example during a flight, and why.
    ///
    /// Items that aren't playable now are included. Use in the meantime isn't predicted.
    public func lapses(before date: Date) -> [Lapse] {
        let moment = moment()
        let end = Timestamp(date)
        return shelf.holding.keys.compactMap { content -> Lapse? in
            guard let (at, reasons) = shelf.lapse(of: content, before: end, at: moment), let first = reasons.first
            else { return nil }
            return Lapse(
                content: content.text, at: Date(at),
                explanation: Explanation(first, Array(reasons.dropFirst())))
        }.sorted { ($0.at, $0.content) < ($1.at, $1.content) }
    }

    private func leave(_ id: UUID) {
        if running?.leave(id) != true { departed.insert(id) }
    }

    typealias RenewalListener = (id: UUID, stream: AsyncStream<RenewalEvent>.Continuation)

    @discardableResult
    func renew(
        _ scope: RenewalScope, listener: RenewalListener?, _ consent: RenewalConsent
    ) async -> RenewalReport {
        await renew(always: scope.isAlways, listener, consent) { shelf.plan(scope, at: moment()).map(\.text) }
    }

    /// Resumes an interrupted renewal, or discards one that is too old.
    func goOnWithCutOff(_ consent: RenewalConsent) async {
        guard running == nil, shelf.job != nil else { return }
        guard let job = cutOff else {
            try? commit([.note(.job(nil))])
            return
        }
        await renew(always: job.isAlways, nil, consent) { Array(job.left) }
    }

    @discardableResult
    private func renew(
        always isAlways: Bool, _ listener: RenewalListener?, _ consent: RenewalConsent, _ plan: () -> [String]
    ) async -> RenewalReport {
        let agreed = await agreed(to: plan(), consent)
        let withheld = { (contents: [String]) in
            Set(contents.filter { name in !agreed.contains(name) && ContentID(name).map(self.asksFirst) ?? false })
        }
        while let running {
            let wanted = plan()
            if running.absorbs(wanted, isAlways: isAlways, withheld: withheld(wanted)) {
                if let listener { running.listen(listener.id, listener.stream) } else { running.goOnQuietly() }
                await running.wait()
                return running.report ?? .nothing
            }
            await running.wait()
            if self.running === running { self.running = nil }
        }
        if let listener, departed.remove(listener.id) != nil { return .nothing }
        let wanted = plan()
        let job =
            resumed(wanted, isAlways)
            ?? RenewalJob(
                id: newRequest(), isAlways: isAlways, contents: wanted, startedAt: Moment(moment().now))
        let running = RunningRenewal(job, withheld: withheld(job.left.map(\.self)))
        self.running = running
        if let listener { running.listen(listener.id, listener.stream) } else { running.goOnQuietly() }
        let report = await work(on: job, running)
        running.tell(.finished(report))
        if self.running === running { self.running = nil }
        if !recovery.wants { await keepSignedIn() }
        await settleKeys()
        return report
    }

    /// How long after its start an interrupted renewal is resumed, in seconds.
    static let resumedWithin: Int64 = 86_400

    /// The interrupted renewal with its remaining items; `nil` if there isn't one or it is too old.
    var cutOff: RenewalJob? {
        guard let job = shelf.job, !job.left.isEmpty,
            job.startedAt.timestamp.seconds(until: moment().now) < Self.resumedWithin
        else { return nil }
        return job
    }

    /// The interrupted renewal, if resuming it covers what is wanted now.
    private func resumed(_ wanted: [String], _ isAlways: Bool) -> RenewalJob? {
        guard let job = cutOff, !wanted.isEmpty, job.covers(wanted, isAlways: isAlways) else { return nil }
        return job
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
