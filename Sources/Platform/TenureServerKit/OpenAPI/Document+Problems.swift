package import TenureCore
package import TenureFormats

extension Reason {
    /// A reason for a refusal.
    package static let document = Document<Reason>(
        "Reason",
        [
            .text("code", "Stable; branch on this.") { $0.code.text },
            .text("message", "What happened, for people.") { $0.message },
            .text("cure", "What would help.") { $0.cure },
            .momentOrNull("changesAt", "When it changes by itself.") { $0.changesAt },
            .facts("evidence", "The numbers and dates behind it.") { $0.evidence },
        ])
}

extension ProblemDetails {
    /// An error response (RFC 9457).
    package static let document = Document<ProblemDetails>(
        "Problem",
        [
            .text("type", "Always `about:blank`.") { _ in "about:blank" },
            .text("title", "The status in a few words.") { $0.title },
            .integer("status") { Int64($0.status) },
            .text("detail", "What happened this time.") { $0.detail },
            .text("code", "Stable; branch on this.") { $0.code },
            .list("reasons", of: Reason.document, "Why not, most specific first, each with its cure.") { $0.reasons },
        ])
}

extension Document.Member {
    /// An object of facts: numbers, texts and RFC 3339 dates.
    package static func facts(
        _ name: String, _ sentence: String, _ value: @escaping @Sendable (Value) -> [Reason.Evidence]
    ) -> Document.Member {
        .init(name, Schema([.init("type", "object")]), sentence) { facts, object in
            object.object(name) { $0.evidence(value(facts)) }
        }
    }
}
