import TenureClient
import TenureCore

/// How a renewal gets the person's consent where a license asks for it (`askBeforeRenew`).
enum RenewalConsent: Sendable {
    /// The app asked the person before.
    case given
    /// The app started the renewal: the person is asked, once for all contents.
    case asked
    /// The renewal started automatically, in the foreground: the person is asked unless they declined already.
    case askedUnlessDeclined
    /// Nobody is there to be asked, so these contents are left.
    case none
}

/// Asks a person once whether contents may be renewed; answers whether they may.
public typealias RenewalQuestion = @Sendable (_ contents: [OfflineContent]) async -> Bool

extension ContentLibrary {
    /// Sets what asks the person before licenses with `askBeforeRenew` are renewed; `nil` asks nobody.
    ///
    /// It is called once for a renewal of several contents, whatever started it: the app, the app's becoming active, or a
    /// network that is back. A background run does not call it; where nobody can be asked for another reason, answer false. Without an agreement these contents are left as they are,
    /// with the code `renewal_unconfirmed`, and stand in ``awaitingConfirmation``. A play asks by its own answer
    /// (``PlayAnswer/asks(_:)``).
    public func askBeforeRenewing(_ question: RenewalQuestion?) { renewalQuestion = question }

    /// The contents that are due and are renewed only after the person was asked: those left in the background among them.
    /// Renew them with `confirmed` once the person agreed.
    public var awaitingConfirmation: [OfflineContent] {
        let moment = moment()
        let waiting = shelf.holding.keys.filter { content in
            guard asksFirst(content), let kept = shelf[content], shelf.refusal(of: content, at: moment.now).isEmpty
            else { return false }
            return kept.grant.status(of: kept.ledger, at: moment).isDue
        }
        return waiting.sorted().map { content($0, at: moment) }
    }

    /// Whether a content is renewed only after the person was asked.
    func asksFirst(_ content: ContentID) -> Bool { shelf[content]?.asksFirst ?? false }

    /// Gets consent for a renewal; answers the contents that the person agreed to, of those that ask.
    func agreed(to contents: [String], _ consent: RenewalConsent) async -> Set<String> {
        let asking = contents.filter { ContentID($0).map(asksFirst) ?? false }
        // What a person confirmed when nobody could be reached was agreed to then.
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

    /// Asks the person about contents, unless another renewal asks about them at this moment.
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

/// A question that a person has not answered yet.
struct OpenQuestion {
    /// The contents that it is about.
    let contents: Set<String>
    let answer: Task<Bool, Never>
    /// How many renewals wait for the answer.
    var listeners = 1
}

extension KeptLicense {
    /// Whether it is renewed only after the person was asked. Of a license that the server stopped there is nothing to ask.
    var asksFirst: Bool { grant.terms.askBeforeRenew && ledger.stop == nil }
}

extension RenewalReport {
    /// The contents that were left because the person has not been asked, or did not agree.
    public var unconfirmed: [String] { items.filter(\.isUnconfirmed).map(\.content) }
}

extension RenewalProgress {
    /// Whether it was left because the person has not been asked, or did not agree.
    var isUnconfirmed: Bool { explanation?.code == .renewalUnconfirmed }
}
