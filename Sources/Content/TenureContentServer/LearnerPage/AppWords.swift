import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit

/// Translations of reasons for apps and players.
///
/// A reason already has its English text. Translation doesn't change its code and facts.
extension Reason {
    /// Returns the reason with translated sentences; unchanged if there is no translation.
    func told(inApp language: Language) -> Reason {
        guard language != .english else { return self }
        let sentences: [String]
        switch code {
        case .selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp: sentences = toldOfRelease(in: language)
        default:
            guard let words = words(in: language) else { return self }
            sentences = [words(in: language), help.map { $0.appWords(in: language) } ?? ""]
        }
        return Reason(
            code, message: sentences[0], cure: sentences.dropFirst().joined(separator: " "), evidence: evidence,
            changesAt: changesAt)
    }
}

extension Refusal {
    /// Returns the refusal with translated reasons.
    func told(inApp language: Language) -> Refusal {
        Refusal(first.told(inApp: language), others.map { $0.told(inApp: language) })
    }
}

extension ContentAnswer {
    /// Returns the decision with translated reasons.
    func told(inApp language: Language) -> ContentAnswer {
        ContentAnswer(
            outcome: outcome, license: license, reasons: reasons.map { $0.told(inApp: language) },
            consequences: consequences)
    }
}

extension ContentOutlook.Help {
    /// The advice to the holder, worded for apps rather than for the learner page.
    fileprivate var appWords: Spoken {
        switch self {
        case .connect: Spoken("Connect to the internet and open it again.", "인터넷에 연결한 뒤 다시 열어 주세요.")
        case .wait: Spoken("Wait until it starts.", "시작될 때까지 기다려 주세요.")
        case .release: Spoken("Release a device that you no longer use.", "더 이상 쓰지 않는 기기를 해제해 주세요.")
        case .setClock: Spoken("Correct the clock of the device.", "기기의 시계를 맞춰 주세요.")
        case .vendor: Spoken("Write to support.", "고객센터에 문의해 주세요.")
        }
    }
}

extension KollusItem.Answer {
    /// Returns the response with a translated message.
    func told(in language: Language) -> KollusItem.Answer {
        guard language != .english, let reason = reason?.told(inApp: language) else { return self }
        var answer = self
        answer.message = "\(reason.message) \(reason.cure)"
        return answer
    }

    /// The message in a player while the store doesn't respond.
    static let busy = Spoken(
        "The license server is busy. Please try again in a minute.", "라이선스 서버가 혼잡합니다. 잠시 후 다시 시도해 주세요.")
    /// The message in a player if its request has an invalid member.
    static let unread = Spoken("The request could not be understood.", "요청을 이해하지 못했습니다.")
}

extension Language {
    /// Chooses the language of a request: the client's preferred one, or else the tenant's.
    init(of request: Request, at tenant: TenantID, in snapshot: CatalogSnapshot) {
        self.init(
            accepting: request.headers["Accept-Language"], of: [.english, .korean],
            else: snapshot.catalog.tenants[tenant]?.language)
    }
}
