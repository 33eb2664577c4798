public import Foundation
package import TenureCore

/// Why a state is what it is: all the reasons, most specific first, what would help, and when it changes by itself.
public struct Explanation: Sendable, Hashable {
    /// One reason.
    public struct Reason: Sendable, Hashable {
        /// The stable code, such as `lease_lapsed`; an open set. Programs branch on this and on nothing else.
        public let code: String
        /// What happened, in one sentence for people.
        public let message: String
        /// What would help, in one sentence for people.
        public let cure: String
        /// The numbers and dates behind it, such as `expiresAt` and an RFC 3339 date.
        public let evidence: [String: String]
        /// When it changes by itself; nil when it does not.
        public let changesAt: Date?

        /// Words a reason, for previews and tests; with the code of one that is known, views offer what they would then.
        public init(
            code: String, message: String, cure: String, evidence: [String: String] = [:], changesAt: Date? = nil
        ) {
            self.code = code
            self.message = message
            self.cure = cure
            self.evidence = evidence
            self.changesAt = changesAt
        }
    }

    /// The reasons as the law words them; never empty.
    package let decided: [TenureCore.Reason]

    /// Explains by one reason, or by more.
    package init(_ first: TenureCore.Reason, _ others: [TenureCore.Reason] = []) {
        decided = [first] + others
    }

    /// Explains by one reason, or by more, for previews and tests.
    public init(_ first: Reason, _ others: [Reason] = []) {
        decided = ([first] + others).map(TenureCore.Reason.init)
    }

    /// All the reasons, most specific first; never empty.
    public var reasons: [Reason] { decided.map(Reason.init) }

    /// What happened, in one sentence for people; the first reason's.
    public var message: String { decided[0].message }

    /// What would help most.
    public var cure: String { decided[0].cure }

    /// When the state changes by itself; nil when it does not.
    public var changesAt: Date? { changeMoment.map(Date.init) }

    /// When the state changes by itself; nil when it does not.
    package var changeMoment: Timestamp? { decided[0].changesAt }

    /// The code of the first reason.
    package var code: TenureCore.Reason.Kind { decided[0].code }
}

extension Explanation.Reason {
    fileprivate init(_ reason: TenureCore.Reason) {
        code = reason.code.text
        message = reason.message
        cure = reason.cure
        evidence = Dictionary(reason.evidence.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        changesAt = reason.changesAt.map(Date.init)
    }
}

extension TenureCore.Reason {
    fileprivate init(_ made: Explanation.Reason) {
        self.init(
            Kind(made.code, made.message, cure: made.cure, since: ""),
            evidence: made.evidence.sorted { $0.key < $1.key }.map { Evidence($0.key, .text($0.value)) },
            changesAt: made.changesAt.map(Timestamp.init))
    }
}

extension Date {
    /// The moment as Foundation counts it.
    package init(_ moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.seconds)) }
}

extension Timestamp {
    /// A moment as Foundation counts it, without its part of a second; one that is too far away to be written is the
    /// farthest that can be.
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(seconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}
