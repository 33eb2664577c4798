import TenureContent
import TenureClient
import TenureCore

/// How a renewal gets the person's consent where a license asks for it (`askBeforeRenew`).
enum RenewalConsent: Sendable {
    /// The app asked the user beforehand.
    case given
    /// The app started the renewal: the user is asked once for all items.
    case asked
    /// The renewal started automatically in the foreground: the user is asked unless they declined already.
    case askedUnlessDeclined
    /// The user isn't present, so these items are left.
    case none
}

/// Asks the user once whether content items may be renewed; returns whether they agreed.
public typealias RenewalQuestion = @Sendable (_ contents: [OfflineContent]) async -> Bool

extension ContentLibrary {
    /// Sets the question for the user before licenses with `askBeforeRenew` are renewed; `nil` removes it.
    ///
    /// It is called once for a renewal of several items: started by the app, when the app becomes active, or when the
    /// network is back. Background runs don't call it. If the user can't be asked for another reason, return `false`.
    ///
    /// Without an agreement, these items keep their licenses and get the code `renewal_unconfirmed`. They are listed in
    /// ``awaitingConfirmation``. A play asks with ``PlayAnswer/asks(_:)`` instead.
    public func askBeforeRenewing(_ question: RenewalQuestion?) { renewalQuestion = question }

    /// The items that are due and need the user's agreement, including those left in the background.
    ///
    /// Renew them with `confirmed` once the user agreed.
    public var awaitingConfirmation: [OfflineContent] {
        let moment = moment()
        let waiting = shelf.holding.keys.filter { content in
            guard asksFirst(content), let kept = shelf[content], shelf.refusal(of: content, at: moment.now).isEmpty
            else { return false }
            return kept.grant.status(of: kept.ledger, at: moment).isDue
        }
        return waiting.sorted().map { content($0, at: moment) }
    }

    /// Whether the user must agree before an item is renewed.
    func asksFirst(_ content: ContentID) -> Bool { shelf[content]?.asksFirst ?? false }

    /// Gets consent for a renewal; returns the items, among those that need consent, to which the user agreed.
    func agreed(to contents: [String], _ consent: RenewalConsent) async -> Set<String> {
        let asking = contents.filter { ContentID($0).map(asksFirst) ?? false }
        // The user already agreed to a remembered play.
        let wished = Set(asking.filter { $0 == shelf.wish })
        let open = asking.filter { !wished.contains($0) }
        switch consent {
        case .given: return Set(asking)
        case .none: return wished
        case .asked: return wished.union(await ask(open))
        case .askedUnlessDeclined:
            let fresh = open.filter { name in
                guard let kept = ContentID(name).flatMap({ shelf[$0] }) else { return false }
                return declined[kept.grant.license] != kept.grant.version
            }
            return wished.union(await ask(fresh))
        }
    }

    /// Asks the user about items, or waits for an open question that covers them.
    private func ask(_ names: [String]) async -> Set<String> {
        guard let renewalQuestion, !names.isEmpty else { return [] }
        while let open = openQuestion {
            openQuestion?.listeners += 1
            let isAgreed = await open.answer.value
            if open.contents.isSuperset(of: names) { return isAgreed ? Set(names) : [] }
            if openQuestion?.answer == open.answer { openQuestion = nil }
        }
        let moment = moment()
        let ids = names.compactMap { ContentID($0) }
        let contents = ids.map { content($0, at: moment) }
        let answer = Task { await renewalQuestion(contents) }
        openQuestion = OpenQuestion(contents: Set(names), answer: answer)
        let isAgreed = await answer.value
        if openQuestion?.answer == answer { openQuestion = nil }
        for kept in ids.compactMap({ shelf[$0] }) {
            declined[kept.grant.license] = isAgreed ? nil : kept.grant.version
        }
        return isAgreed ? Set(names) : []
    }
}

/// A question that the user hasn't answered yet.
struct OpenQuestion {
    /// The items that the question covers.
    let contents: Set<String>
    let answer: Task<Bool, Never>
    /// The number of renewals that wait for the answer.
    var listeners = 1
}

extension KeptLicense {
    /// Whether the user must agree before a renewal.
    ///
    /// A license that the server stopped doesn't ask.
    var asksFirst: Bool { grant.terms.askBeforeRenew && ledger.stop == nil }
}

extension RenewalReport {
    /// The items that were left because the user wasn't asked, or declined.
    public var unconfirmed: [String] { items.filter(\.isUnconfirmed).map(\.content) }
}

extension RenewalProgress {
    /// Whether the item was left because the user wasn't asked, or declined.
    var isUnconfirmed: Bool { explanation?.code == .renewalUnconfirmed }
}
