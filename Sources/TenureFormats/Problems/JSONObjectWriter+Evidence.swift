public import TenureCore

extension JSONObjectWriter {
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
