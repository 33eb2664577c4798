import TenureClient
import TenureContent
import TenureCore
import TenureFormats

extension ContentServerRefusal {
    /// Reads a problem document; `nil` if it isn't one from a content server.
    init?(_ status: Int, _ object: FlatObject) {
        var reasons = ToldReason.reasons(in: object)
        if reasons.isEmpty {
            guard let code = object.string("code").value, ToldReason.isCode(code) else { return nil }
            reasons = [ToldReason(code: code, message: ToldReason.cleaned(object.string("detail").value) ?? code)]
        }
        self.init(status: status, reasons: reasons)
    }
}

extension ContentItemAnswer {
    /// Reads an item of a response, except its signed grant or refusal.
    init(reading object: FlatObject) {
        license = object.string("license").value.flatMap { ContentLicenseID(text: $0) }
        content = object.string("content").value.flatMap { ContentID($0) }
        outcome = object.string("outcome").value.flatMap(ContentAnswer.Outcome.init(rawValue:)) ?? .transient
        reasons = ToldReason.reasons(in: object)
        retryAfter = object.integer("retryAfter").value
        settled = object.integer("settled").value
        used = ContentUse(in: object)
    }

    /// Converts a refusal of a whole request to the response for one item.
    init(_ no: ContentServerRefusal) {
        outcome = no.reasons.contains { $0.code == "try_again" } ? .transient : .refused
        reasons = no.reasons
    }
}

extension ContentUse {
    /// Reads the member `used`; `nil` if it is missing or invalid.
    fileprivate init?(in object: FlatObject) {
        guard let use = object.object("used").value, let plays = use.integer("plays").value,
            let seconds = use.integer("playSeconds").value, plays >= 0, seconds >= 0
        else { return nil }
        self.init(plays: Int(clamping: plays), playSeconds: seconds)
    }
}

extension ToldReason {
    /// Reads the member `reasons` of a content response or problem document.
    ///
    /// Times in content responses are POSIX seconds; in problem documents, they are RFC 3339.
    static func reasons(in object: FlatObject) -> [ToldReason] {
        let moments = (object.objects("reasons").value ?? []).map { ($0.string("code").value, $0.integer("changesAt")) }
        return list(in: object).map { reason in
            guard let seconds = moments.first(where: { $0.0 == reason.code })?.1.value else { return reason }
            return ToldReason(
                code: reason.code, message: reason.message, cure: reason.cure,
                changesAt: Moment(Timestamp(seconds: seconds)), evidence: reason.evidence)
        }
    }
}

extension ContentSettling {
    /// Reads all members of the response except its items.
    init(_ object: FlatObject) {
        for settled in object.objects("settled").value ?? [] {
            guard let license = settled.string("license").value.flatMap({ ContentLicenseID(text: $0) }),
                let sequence = settled.integer("sequence").value,
                (0...SessionReport.highestSequence).contains(sequence)
            else { continue }
            self.settled[license] = max(self.settled[license] ?? 0, sequence)
            if let version = settled.integer("version").value, let used = ContentUse(in: settled) {
                uses[license] = SettledUse(version: version, used: used)
            }
        }
        for refused in object.objects("refused").value ?? [] {
            guard let index = refused.integer("index").value, index >= 0 else { continue }
            self.refused[Int(clamping: index)] = refused.string("code").value ?? ""
        }
        token = object.string("token").value
    }
}

extension JSONObjectWriter {
    /// Writes the `usage` array of a request, with one object for each session.
    mutating func usage(_ sessions: [SessionReport]) {
        array("usage") { list in
            for session in sessions {
                list.object { member in
                    member.member("license", session.license.description)
                    member.member("version", session.version)
                    member.member("session", session.session.description)
                    member.member("sequence", session.sequence)
                    member.member("startedAt", session.startedAt.seconds)
                    member.member("playSeconds", session.playSeconds)
                    member.member("counted", session.isCounted)
                    member.member("ended", session.isEnded)
                }
            }
        }
    }
}
