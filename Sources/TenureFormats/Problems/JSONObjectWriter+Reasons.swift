public import TenureCore

extension JSONObjectWriter {
    /// Adds `code` and `reasons`, the members that say why an answer is no, beside whatever shape a dialect fixes.
    ///
    /// Each reason has `code`, `message`, `cure`, `changesAt` (RFC 3339, or null when it does not change by itself) and
    /// `evidence`, an object of numbers, texts and RFC 3339 dates (design §5, §6).
    public mutating func refusal(_ refusal: Refusal) {
        reasons(refusal.reasons, code: refusal.first.code.text)
    }

    mutating func reasons(_ reasons: [Reason], code: String) {
        member("code", code)
        array("reasons") { list in
            for reason in reasons {
                list.object { $0.members(of: reason) }
            }
        }
    }

    private mutating func members(of reason: Reason) {
        member("code", reason.code.text)
        member("message", reason.message)
        member("cure", reason.cure)
        member("changesAt", reason.changesAt?.description)
        object("evidence") { evidence in
            for fact in reason.evidence {
                switch fact.value {
                case .number(let number): evidence.member(fact.name, number)
                case .date(let date): evidence.member(fact.name, date.description)
                case .text(let text): evidence.member(fact.name, text)
                }
            }
        }
    }
}
