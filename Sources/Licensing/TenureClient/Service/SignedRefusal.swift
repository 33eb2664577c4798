package import TenureCore
package import TenureFormats

/// A refusal that may change the license's state.
///
/// Over the Tenure dialect it is signed. Over Keylight, `Documentation/client.md` lists which responses are refusals.
package struct SignedRefusal: Sendable, Hashable, Codable {
    /// The reasons, most specific first and never empty; the codes are Tenure's.
    package let reasons: [ToldReason]
    /// The `expired` or `fallback` lease that came with the refusal, if any.
    package let lease: Lease?
    /// The server's time, if it was signed.
    package let serverTime: Moment?
    /// The terms for users without a license, if the response contained them; over Keylight only.
    package let terms: ProductTerms?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case reasons = "reasons"
        case lease = "lease"
        case serverTime = "serverTime"
        case terms = "terms"
    }

    /// A lease that came with a refusal.
    package struct Lease: Sendable, Hashable, Codable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]

        /// The stored names; never change them.
        private enum CodingKeys: String, CodingKey {
            case facts = "facts"
            case bytes = "bytes"
        }

        package init(facts: LeaseFacts, bytes: [UInt8]) {
            self.facts = facts
            self.bytes = bytes
        }
    }

    package init(
        reasons: [ToldReason], lease: Lease? = nil, serverTime: Moment? = nil, terms: ProductTerms? = nil
    ) {
        self.reasons = reasons
        self.lease = lease
        self.serverTime = serverTime
        self.terms = terms
    }
}

/// A reason as received from a server.
package struct ToldReason: Sendable, Hashable, Codable {
    /// The stable code, such as `license_revoked`.
    package let code: String
    /// What happened, in words for the user.
    package let message: String
    /// The remedy, in words for the user; `nil` if the server sent none.
    package let cure: String?
    /// When the reason is due to change without user action; `nil` if it isn't.
    package let changesAt: Moment?
    /// Numbers and dates about the reason, as display texts; `nil` if absent or stored by an earlier version.
    package let evidence: [String: String]?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case code = "code"
        case message = "message"
        case cure = "cure"
        case changesAt = "changesAt"
        case evidence = "evidence"
    }

    package init(
        code: String, message: String, cure: String? = nil, changesAt: Moment? = nil, evidence: [String: String]? = nil
    ) {
        self.code = code
        self.message = message
        self.cure = cure
        self.changesAt = changesAt
        self.evidence = evidence
    }
}

extension ToldReason {
    /// The maximum length of a received text, in bytes.
    package static let textLimit = 500
    /// The maximum number of reasons in one response.
    package static let countLimit = 16
    /// The maximum number of evidence entries of one reason.
    package static let evidenceLimit = 16

    /// Decodes `reasons`, which every refusal of a Tenure server contains (`Documentation/formats.md`).
    ///
    /// Invalid entries are skipped.
    package static func list(in object: FlatObject) -> [ToldReason] {
        (object.objects("reasons").value ?? []).prefix(countLimit).compactMap { reason in
            guard let code = reason.string("code").value, isCode(code) else { return nil }
            return ToldReason(
                code: code, message: cleaned(reason.string("message").value) ?? code,
                cure: cleaned(reason.string("cure").value),
                changesAt: reason.string("changesAt").value.flatMap(Timestamp.init(text:)).map(Moment.init),
                evidence: cleaned(reason.evidence("evidence")))
        }
    }

    /// Cleans the evidence of a reason for display; `nil` if nothing is left.
    ///
    /// Entries without an alphanumeric name and those beyond ``evidenceLimit`` are dropped.
    package static func cleaned(_ evidence: [TenureCore.Reason.Evidence]) -> [String: String]? {
        var facts: [String: String] = [:]
        for fact in evidence where isName(fact.name) && facts.count < evidenceLimit {
            facts[fact.name] = facts[fact.name] ?? cleaned(fact.value.text)
        }
        return facts.isEmpty ? nil : facts
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
            }
    }

    /// Cleans a received text for display: limits its length and removes control characters; `nil` if no text is left.
    package static func cleaned(_ text: String?) -> String? {
        guard let text else { return nil }
        let shown = String(text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        guard !shown.isEmpty else { return nil }
        return shown.utf8.count <= textLimit
            ? shown : String(decoding: shown.utf8.prefix(textLimit), as: UTF8.self) + "..."
    }

    /// Whether a text has the form of a code: 1 to 64 characters of `a`-`z`, `0`-`9` and `_`.
    package static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
