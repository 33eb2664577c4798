public import Foundation
public import TenureClient
import TenureCore

extension ContentLibrary {
    /// Renews contents: tells of each once, in order, then what it came to as a whole.
    ///
    /// One renewal runs at a time. A running one that is about all of these is listened to, from its beginning; otherwise
    /// this one waits for its end. Up to 100 are asked about at once, and an old license stays until the new one is
    /// verified and on disk. What was cut off by the program's end goes on where it stopped, and tells what is left.
    /// Whoever stops listening cancels it when nobody else listens: the chunk that is under way is still taken in.
    /// - Parameter confirmed: Whether the person agreed already to what asks them; see ``askBeforeRenewing(_:)``.
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

    /// Renews contents, and answers what it came to when all is done.
    @discardableResult
    public func renewed(_ scope: RenewalScope, confirmed: Bool = false) async -> RenewalReport {
        await renew(scope, listener: nil, confirmed ? .given : .asked)
    }

    /// What a renewal would come to, as far as it is known here. Nobody is asked, and nothing is changed.
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

    /// A content that stops before a moment if nothing is done.
    public struct Lapse: Sendable, Hashable {
        /// Which content.
        public let content: String
        /// When it stops: the first moment that it does not play.
        public let at: Date
        /// Why.
        public let explanation: Explanation
    }

    /// What would stop before a moment, on a flight for example, and why; what does not play now among it. That something
    /// is played in between, and uses something up, is not foreseen.
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

    /// Goes on with a renewal that was cut off, before anything else is asked for; forgets one that is too old.
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

    /// For how long a renewal that was cut off is gone on with, in seconds; later it begins anew.
    static let resumedWithin: Int64 = 86_400

    /// The renewal that was cut off, with what it has left; nil when there is none, or it is too old.
    var cutOff: RenewalJob? {
        guard let job = shelf.job, !job.left.isEmpty,
            job.startedAt.timestamp.seconds(until: moment().now) < Self.resumedWithin
        else { return nil }
        return job
    }

    /// The renewal that was cut off, when going on with it does what is wanted now.
    private func resumed(_ wanted: [String], _ isAlways: Bool) -> RenewalJob? {
        guard let job = cutOff, !wanted.isEmpty, job.covers(wanted, isAlways: isAlways) else { return nil }
        return job
    }
}

extension RenewalScope {
    /// Whether also what the server does not find due is renewed.
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
