package import TenureCore
package import TenureFormats

extension Reason {
    /// The JSON object of a reason for a refusal.
    package static let document = Document<Reason>(
        "Reason",
        [
            .text("code", "Stable; programs branch on it.") { $0.code.text },
            .text("message", "What happened, in a sentence for people.") { $0.message },
            .text("cure", "What to do next.") { $0.cure },
            .momentOrNull("changesAt", "When this changes automatically.") { $0.changesAt },
            .facts("evidence", "The numbers and dates that explain it.") { $0.evidence },
        ])
}

extension ProblemDetails {
    /// The JSON object of an error response (RFC 9457).
    package static let document = Document<ProblemDetails>(
        "Problem",
        [
            .text("type", "Always `about:blank`.") { _ in "about:blank" },
            .text("title", "A short summary of the kind of problem.") { $0.title },
            .integer("status") { Int64($0.status) },
            .text("detail", "What happened in this case.") { $0.detail },
            .text("code", "Stable; programs branch on it.") { $0.code },
            .list(
                "reasons", of: Reason.document, "The reasons for the refusal, most specific first, each with a remedy."
            ) { $0.reasons },
        ])
}

extension Document.Member {
    /// An object with one member per fact: a number, a text or an RFC 3339 date.
    package static func facts(
        _ name: String, _ sentence: String, _ value: @escaping @Sendable (Value) -> [Reason.Evidence]
    ) -> Document.Member {
        .init(name, Schema([.init("type", "object")]), sentence) { facts, object in
            object.object(name) { $0.evidence(value(facts)) }
        }
    }
}
