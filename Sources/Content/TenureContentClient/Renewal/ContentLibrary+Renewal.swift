public import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

extension ContentLibrary {
    /// Renews content items and streams the result of each one, by ascending ``RenewalProgress/index``, followed by a
    /// report.
    ///
    /// Only one renewal runs at a time. If the running one covers this scope, the stream replays it from its start;
    /// otherwise this renewal waits until that one has ended. Each request covers up to 100 items. A license stays
    /// valid until its replacement is verified and on disk.
    ///
    /// If the app ended during a renewal, a new one that covers the same items resumes it. Items that were renewed and
    /// aren't due now are reported without another request; all others are requested again. When the last listener
    /// cancels its stream, the renewal stops after the current chunk.
    ///
    /// - Parameters:
    ///   - scope: The items to renew.
    ///   - confirmed: Whether the user already agreed; see ``askBeforeRenewing(_:)``.
    public nonisolated func renew(_ scope: RenewalScope, confirmed: Bool = false) -> AsyncStream<RenewalEvent> {
        renew(scope, confirmed: confirmed, isInListOrder: false)
    }

    /// Renews content items; with `isInListOrder`, their results follow the order of the list of contents.
    nonisolated func renew(
        _ scope: RenewalScope, confirmed: Bool, isInListOrder: Bool
    ) -> AsyncStream<RenewalEvent> {
        AsyncStream { listener in
            let id = UUID()
            Task { await self.renew(scope, confirmed, RenewalListener(id: id, stream: listener), isInListOrder) }
            listener.onTermination = { reason in
                guard case .cancelled = reason else { return }
                Task { await self.leave(id) }
            }
        }
    }

    /// Renews content items and returns the report when all are done.
    @discardableResult
    public func renewed(_ scope: RenewalScope, confirmed: Bool = false) async -> RenewalReport {
        await renew(scope, confirmed)
    }

    @discardableResult
    private func renew(
        _ scope: RenewalScope, _ confirmed: Bool, _ listener: RenewalListener? = nil, _ isInListOrder: Bool = false
    ) async -> RenewalReport {
        await renewals.renew(
            scope, confirmed ? .given : .asked, listener: listener, isInListOrder: isInListOrder)
    }

    private func leave(_ listener: UUID) { renewals.leave(listener) }

    /// Sets the question for the user before licenses with `askBeforeRenew` are renewed; `nil` removes it.
    ///
    /// The closure is called once for all items of a renewal. The renewal may be started by the app, when the app
    /// becomes active, or when the network is back. Background runs don't call it. If the user can't be asked for
    /// another reason, return `false`.
    ///
    /// If the user doesn't agree, these items keep their licenses and get the code `renewal_unconfirmed`. They are
    /// listed in ``awaitingConfirmation``. A play asks with ``PlayAnswer/asks(_:)`` instead.
    public func askBeforeRenewing(_ question: RenewalQuestion?) { consent.prompt = question }

    /// The items that are due and need the user's agreement, including those left in the background.
    ///
    /// Once the user has agreed, renew them with `confirmed: true`.
    public var awaitingConfirmation: [OfflineContent] {
        let instant = store.instant()
        return consent.awaiting(at: instant).map { reader.content($0, at: instant) }
    }

    /// Predicts the result of a renewal from the stored state.
    ///
    /// It sends no request and changes nothing.
    public func forecast(_ scope: RenewalScope) -> RenewalForecast {
        let instant = store.instant()
        let planned = ledgerContents.plan(scope, at: instant)
        return RenewalForecast(
            requested: planned.map(\.text),
            due: planned.filter {
                ledgerContents[$0].map { $0.grant.status(of: $0.ledger, at: instant).isDue } ?? false
            }
            .map(\.text),
            refused: planned.compactMap { content in
                Explanation(ledgerContents.refusal(of: content, at: instant.now)).map {
                    .init(content: content.text, explanation: $0)
                }
            }, unconfirmed: planned.filter(ledgerContents.asksFirst).map(\.text))
    }

    /// A content item that stops being playable before a given time unless it is renewed.
    public struct Lapse: Sendable, Hashable {
        /// The id of the content item.
        public let content: String
        /// When the item stops being playable.
        public let at: Date
        /// Why the item stops being playable.
        public let explanation: Explanation
    }

    /// The items that stop being playable before a given time, for example during a flight, and why.
    ///
    /// Items that aren't playable now are included. Plays before the given time aren't predicted.
    public func lapses(before date: Date) -> [Lapse] {
        let instant = store.instant()
        let end = Timestamp(date)
        return ledgerContents.holding.keys.compactMap { content -> Lapse? in
            guard let (at, reasons) = ledgerContents.lapse(of: content, before: end, at: instant),
                let explanation = Explanation(reasons)
            else { return nil }
            return Lapse(content: content.text, at: Date(at), explanation: explanation)
        }.sorted { ($0.at, $0.content) < ($1.at, $1.content) }
    }
}
