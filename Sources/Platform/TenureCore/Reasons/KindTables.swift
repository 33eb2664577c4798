extension [Reason.Kind] {
    /// The kinds as a Markdown table, in array order.
    public var table: String {
        "| code | what happened | what to do | evidence | since |\n|---|---|---|---|---|\n"
            + map { kind in
                "| `\(kind.text)` | \(kind.sentence) | \(kind.cure)\(kind.vendorCure(of: "LICENSE").map { " For vendors: \($0)" } ?? "") | \(kind.facts.text) | \(kind.since) |\n"
            }.joined()
    }
}

extension [EventKind] {
    /// The kinds as a Markdown table, in array order.
    public var table: String {
        "| event | means | facts | since |\n|---|---|---|---|\n"
            + map { "| `\($0.text)` | \($0.sentence) | \($0.facts.text) | \($0.since) |\n" }.joined()
    }
}

extension [Fact] {
    fileprivate var text: String {
        map { fact in
            let type =
                switch fact.type {
                case .number, .date, .text: fact.type.rawValue
                case .dateOrNever: "date or `never`"
                }
            return "`\(fact.name)`: \(type)" + (fact.isOptional ? ", optional" : "")
        }.joined(separator: "<br>")
    }
}
