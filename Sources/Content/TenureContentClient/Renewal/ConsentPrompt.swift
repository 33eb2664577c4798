import TenureClient
import TenureContent
import TenureCore

/// How a renewal gets the user's agreement if a license requires it (`askBeforeRenew`).
enum RenewalConsent: Sendable {
    /// The user has already agreed, when the app asked.
    case given
    /// The app started the renewal: the user is asked once for all items.
    case asked
    /// The renewal started automatically in the foreground: the user is asked unless they declined already.
    case askedUnlessDeclined
    /// The user isn't present, so items that need an agreement aren't renewed.
    case none
}

/// A closure that asks the user whether content items may be renewed, and returns whether they agreed.
public typealias RenewalQuestion = @Sendable (_ contents: [OfflineContent]) async -> Bool

/// Asks the user before licenses with `askBeforeRenew` are renewed, and remembers refusals.
final class ConsentPrompt {
    private let store: LicenseStore
    /// The app's closure that asks the user; `nil` if the app set none.
    var prompt: RenewalQuestion?
    /// The question that the user hasn't answered yet; `nil` if there isn't one.
    private(set) var openQuestion: OpenQuestion?
    /// The license versions whose renewal the user declined since the program started.
    private var declined: [ContentLicenseID: Int64] = [:]
    private var ledgerContents: LedgerContents { store.ledgerContents }

    init(_ store: LicenseStore) { self.store = store }

    /// The items that are due and need the user's agreement, except those whose renewal would be refused.
    func awaiting(at instant: ContentStatus.Moment) -> [ContentID] {
        let ledgerContents = ledgerContents
        return ledgerContents.holding.keys.filter { content in
            guard ledgerContents.asksFirst(content), let stored = ledgerContents[content],
                ledgerContents.refusal(of: content, at: instant.now).isEmpty
            else { return false }
            return stored.grant.status(of: stored.ledger, at: instant).isDue
        }.sorted()
    }

    /// Asks the user if necessary, and returns the items that need an agreement and got it.
    nonisolated(nonsending) func agreed(to contents: [String], _ consent: RenewalConsent) async -> Set<String> {
        let asking = contents.filter { ContentID($0).map(ledgerContents.asksFirst) ?? false }
        // The user already agreed to a remembered play.
        let wished = Set(asking.filter { $0 == ledgerContents.requestedContent })
        let open = asking.filter { !wished.contains($0) }
        switch consent {
        case .given: return Set(asking)
        case .none: return wished
        case .asked: return wished.union(await promptFor(open))
        case .askedUnlessDeclined:
            let fresh = open.filter { name in
                guard let stored = ContentID(name).flatMap({ ledgerContents[$0] }) else { return false }
                return declined[stored.grant.license] != stored.grant.version
            }
            return wished.union(await promptFor(fresh))
        }
    }

    /// Asks the user about items, or waits for an open question that covers them; returns those that may be renewed.
    nonisolated(nonsending) private func promptFor(_ names: [String]) async -> Set<String> {
        guard let prompt, !names.isEmpty else { return [] }
        while let open = openQuestion {
            openQuestion?.listeners += 1
            let isAgreed = await open.answer.value
            if open.contents.isSuperset(of: names) { return isAgreed ? Set(names) : [] }
            if openQuestion?.answer == open.answer { openQuestion = nil }
        }
        let instant = store.instant()
        let ids = names.compactMap { ContentID($0) }
        let contents = ids.map { store.reader.content($0, at: instant) }
        let answer = Task { await prompt(contents) }
        openQuestion = OpenQuestion(contents: Set(names), answer: answer)
        let isAgreed = await answer.value
        if openQuestion?.answer == answer { openQuestion = nil }
        for stored in ids.compactMap({ ledgerContents[$0] }) {
            declined[stored.grant.license] = isAgreed ? nil : stored.grant.version
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

extension LedgerContents {
    /// Whether the user must agree before an item is renewed.
    func asksFirst(_ content: ContentID) -> Bool { self[content]?.asksFirst ?? false }
}

extension KeptLicense {
    /// Whether the user must agree before a renewal.
    ///
    /// A license that the server stopped needs no agreement.
    var asksFirst: Bool { grant.terms.askBeforeRenew && ledger.stop == nil }
}

extension RenewalReport {
    /// The items that weren't renewed because the user wasn't asked or declined.
    public var unconfirmed: [String] { items.filter(\.isUnconfirmed).map(\.content) }
}

extension RenewalProgress {
    /// Whether the item wasn't renewed because the user wasn't asked or declined.
    var isUnconfirmed: Bool { explanation?.code == .renewalUnconfirmed }
}
