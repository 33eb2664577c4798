public import TenureCore

extension JSONObjectWriter {
    /// Adds `code` and `reasons`, which explain a refusal, to the members of a dialect's response.
    ///
    /// Each reason has `code`, `message`, `cure`, `changesAt` and `evidence`, an object of numbers, strings and RFC
    /// 3339 dates. `changesAt` is an RFC 3339 date, or `null` if the reason won't change without action.
    public mutating func refusal(_ refusal: Refusal) {
        reasons(refusal.reasons, code: refusal.first.code.text)
    }

    /// Adds `code` and `reasons` of a response that isn't the result of a license decision.
    public mutating func reasons(_ reasons: [Reason], code: String) {
        member("code", code)
        array("reasons") { list in
            for reason in reasons {
                list.object { $0.reason(reason) }
            }
        }
    }

    /// Writes the members of one reason.
    public mutating func reason(_ reason: Reason) {
        member("code", reason.code.text)
        member("message", reason.message)
        member("cure", reason.cure)
        member("changesAt", reason.changesAt?.description)
        object("evidence") { $0.evidence(reason.evidence) }
    }

    /// Writes facts as members: numbers, strings and RFC 3339 dates.
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
    /// Reads the object that ``JSONObjectWriter/evidence(_:)`` wrote; empty if no object has this name.
    ///
    /// A string in exactly the format of a written date is read as a date. Unknown types are skipped, since a newer
    /// server may send more.
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
