import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit

/// Translations of reasons for apps and players.
///
/// A reason already has its English text. Translation doesn't change its code and facts.
extension Reason {
    /// Returns the reason with translated sentences; unchanged if there is no translation.
    func localized(inApp language: Language) -> Reason {
        guard language != .english else { return self }
        let sentences: [String]
        switch code {
        case .selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp:
            sentences = toldOfRelease(in: PageLocale(language))
        default:
            guard let words = words(in: PageLocale(language)) else { return self }
            sentences = [words, help.map { $0.appWords(in: language) } ?? ""]
        }
        return Reason(
            code, message: sentences[0], cure: language.row(Array(sentences.dropFirst())), evidence: evidence,
            changesAt: changesAt)
    }
}

extension Refusal {
    /// Returns the refusal with translated reasons.
    func localized(inApp language: Language) -> Refusal {
        Refusal(first.localized(inApp: language), others.map { $0.localized(inApp: language) })
    }
}

extension ContentAnswer {
    /// Returns the decision with translated reasons.
    func localized(inApp language: Language) -> ContentAnswer {
        ContentAnswer(
            outcome: outcome, license: license, reasons: reasons.map { $0.localized(inApp: language) },
            consequences: consequences)
    }
}

extension ContentOutlook.Help {
    /// The advice to the holder, worded for apps rather than for the learner page.
    fileprivate var appWords: LearnerPageText {
        switch self {
        case .connect: .appConnect
        case .wait: .appWait
        case .release: .appRelease
        case .setClock: .appSetClock
        case .vendor: .appVendor
        }
    }
}

extension KollusItem.Answer {
    /// Returns the response with a translated message.
    func localized(in language: Language) -> KollusItem.Answer {
        guard language != .english, let reason = reason?.localized(inApp: language) else { return self }
        var answer = self
        answer.message = language.row([reason.message, reason.cure])
        return answer
    }

    /// The message in a player while the store doesn't respond.
    static let busy = LearnerPageText.playerBusy
    /// The message in a player if its request has an invalid member.
    static let unread = LearnerPageText.playerUnread
}

extension Language {
    /// Chooses the language of a request: the client's preferred one, or else the tenant's.
    init(of request: Request, at tenant: TenantID, in snapshot: CatalogSnapshot) {
        self.init(
            accepting: request.headers["Accept-Language"], of: Language.allCases,
            else: snapshot.catalog.tenants[tenant]?.language)
    }
}
