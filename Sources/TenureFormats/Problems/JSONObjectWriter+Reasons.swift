public import TenureCore

extension JSONObjectWriter {
    /// Adds `code` and `reasons`, the members that say why an answer is no, beside whatever shape a dialect fixes.
    ///
    /// Each reason has `code`, `message`, `cure`, `changesAt` (RFC 3339, or null when it does not change by itself) and
    /// `evidence`, an object of numbers, texts and RFC 3339 dates (design §5, §6).
    public mutating func refusal(_ refusal: Refusal) {
        reasons(refusal.reasons, code: refusal.first.code.text)
    }

    /// Adds `code` and `reasons` of an answer that did not get as far as the law, or that is no refusal.
    public mutating func reasons(_ reasons: [Reason], code: String) {
        member("code", code)
        array("reasons") { list in
            for reason in reasons {
                list.object { $0.reason(reason) }
            }
        }
    }

    /// The members of one reason.
    public mutating func reason(_ reason: Reason) {
        member("code", reason.code.text)
        member("message", reason.message)
        member("cure", reason.cure)
        member("changesAt", reason.changesAt?.description)
        object("evidence") { $0.evidence(reason.evidence) }
    }

    /// Writes facts as members: numbers, texts and RFC 3339 dates.
    public mutating func evidence(_ facts: [Reason.Evidence]) {
        for fact in facts {
            switch fact.value {
            case .number(let number): member(fact.name, number)
            case .date(let date): member(fact.name, date.description)
            case .text(let text): member(fact.name, text)
            }
        }
    }
}

extension FlatObject {
    /// Reads what ``JSONObjectWriter/evidence(_:)`` wrote as the object of that name; nothing when there is none.
    ///
    /// A text that is exactly how a date is written is one. A fact of a shape that is not known is left out: a newer
    /// server may tell more.
    public func evidence(_ name: String) -> [Reason.Evidence] {
        guard let facts = object(name).value else { return [] }
        return facts.names.compactMap { name in
            if let number = facts.integer(name).value { return Reason.Evidence(name, .number(number)) }
            guard let text = facts.string(name).value else { return nil }
            if let date = Timestamp(text: text), date.description == text { return Reason.Evidence(name, .date(date)) }
            return Reason.Evidence(name, .text(text))
        }
    }
}
