package import TenureCore
package import TenureFormats

/// A no that may change a state: signed, or what design §5 counts as one over Keylight.
package struct VerifiedNo: Sendable, Hashable, Codable {
    /// Why, most specific first; never empty. Codes are Tenure's.
    package let reasons: [ToldReason]
    /// The lease that came with it: an `expired` or `fallback` one.
    package let lease: Lease?
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    /// A lease that came with a no.
    package struct Lease: Sendable, Hashable, Codable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]

        package init(facts: LeaseFacts, bytes: [UInt8]) {
            self.facts = facts
            self.bytes = bytes
        }
    }

    package init(reasons: [ToldReason], lease: Lease? = nil, serverTime: Moment? = nil) {
        self.reasons = reasons
        self.lease = lease
        self.serverTime = serverTime
    }
}

/// A reason as a server told it.
package struct ToldReason: Sendable, Hashable, Codable {
    /// The stable code, such as `license_revoked`.
    package let code: String
    /// What happened, for people.
    package let message: String
    /// What would help, for people.
    package let cure: String?
    /// When it changes by itself.
    package let changesAt: Moment?
    /// The numbers and dates behind it, as they are shown; nil for none, and in a record of an earlier program.
    package let evidence: [String: String]?

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
    /// How many bytes of a told text are kept.
    package static let textLimit = 500
    /// How many reasons of one answer are kept.
    package static let countLimit = 16
    /// How many facts of one reason are kept.
    package static let evidenceLimit = 16

    /// Reads `reasons`, as every answer of Tenure that is no has them (`Documentation/formats.md`); those of another shape
    /// are left out.
    package static func list(in object: FlatObject) -> [ToldReason] {
        (object.objects("reasons").value ?? []).prefix(countLimit).compactMap { reason in
            guard let code = reason.string("code").value, isCode(code) else { return nil }
            return ToldReason(
                code: code, message: told(reason.string("message").value) ?? code,
                cure: told(reason.string("cure").value),
                changesAt: reason.string("changesAt").value.flatMap(Timestamp.init(text:)).map(Moment.init),
                evidence: told(reason.evidence("evidence")))
        }
    }

    /// The facts behind a reason, fit to be shown: those whose names are words, and no more than are kept; nil for none.
    package static func told(_ evidence: [TenureCore.Reason.Evidence]) -> [String: String]? {
        var facts: [String: String] = [:]
        for fact in evidence where isName(fact.name) && facts.count < evidenceLimit {
            facts[fact.name] = facts[fact.name] ?? told(fact.value.text)
        }
        return facts.isEmpty ? nil : facts
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
            }
    }

    /// A text from a server, fit to be shown: of bounded length, and without control characters.
    package static func told(_ text: String?) -> String? {
        guard let text else { return nil }
        let shown = String(text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        guard !shown.isEmpty else { return nil }
        return shown.utf8.count <= textLimit
            ? shown : String(decoding: shown.utf8.prefix(textLimit), as: UTF8.self) + "..."
    }

    /// Whether a text has the shape of a code: 1 to 64 of `a`-`z`, `0`-`9` and `_`.
    package static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
