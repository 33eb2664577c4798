package import TenureCore
package import TenureFormats
package import TenureHTTP

/// Why a request is not answered with yes: the same for every dialect, until its ``Style`` makes bytes of it.
package struct Failure: Error, Sendable {
    /// What kind of no it is.
    package enum Kind: Sendable {
        /// The law says no.
        case refused(Refusal)
        /// The request cannot be read.
        case unreadable(Unreadable)
        /// The request is turned away before the law is asked: an unknown place, a wrong key, too many attempts.
        case turnedAway(TurnedAway)
        /// A promise that the server could not keep: never a reason for a client to change its state.
        case broken(ServerError)
    }

    /// Writes members beside those of a style.
    package typealias Members = @Sendable (inout JSONObjectWriter) -> Void

    /// What kind of no it is.
    package let kind: Kind
    /// The status, where it is not the one that the style has for this no.
    package var status: Int?
    /// Fields of the answer beside those of its style.
    package var headers: Headers = [:]
    /// Members that stand before the style's own, such as Keylight's `activated`.
    package var leading: Members?
    /// Members that stand after them, such as the lease that a refusal leaves.
    package var trailing: Members?

    /// The law's no.
    package init(_ refusal: Refusal) { kind = .refused(refusal) }

    /// A request that cannot be read.
    package init(_ unreadable: Unreadable) { kind = .unreadable(unreadable) }

    /// A request that is turned away.
    package init(_ turnedAway: TurnedAway, headers: Headers = [:]) {
        kind = .turnedAway(turnedAway)
        self.headers = headers
    }

    /// Too much was tried: never a reason for a client to change its state.
    package static func tooMany(_ sentence: String, retryAfter seconds: Int64) -> Failure {
        Failure(
            TurnedAway(429, code: "try_again", sentence), headers: ["Retry-After": String(max(1, seconds))])
    }

    /// Whether too much was tried.
    package var isTooMany: Bool {
        if case .turnedAway(let away) = kind { away.status == 429 } else { false }
    }

    /// Whatever was thrown while a request was answered.
    package init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ServerError where error.isConflict:
            self.init(
                TurnedAway(
                    409, code: error.code.text, error.message, title: "Refused",
                    among: [.keyTaken] + Reason.Kind.requests))
        case let error as ServerError: self.init(broken: error)
        default:
            self.init(
                broken: ServerError(.init("unforeseen"), "Something failed that nobody foresaw.", cause: "\(error)"))
        }
    }

    private init(broken error: ServerError) {
        kind = .broken(error)
        // Servers look for room on a full disk every ten seconds.
        if error.isTransient { headers.add("Retry-After", error.code == .storeFull ? "10" : "1") }
    }

    /// Why the law says no, most specific first; empty where it was not asked.
    package var reasons: [Reason] {
        if case .refused(let refusal) = kind { refusal.reasons } else { [] }
    }

    /// Which no it is; programs branch on this.
    package var code: String {
        switch kind {
        case .refused(let refusal): refusal.first.code.text
        case .unreadable(let unreadable): unreadable.code
        case .turnedAway(let away): away.code
        case .broken(let error): error.isTransient ? "try_again" : "server_fault"
        }
    }

    /// What the log is told, beyond the answer.
    package var fault: ServerError? {
        if case .broken(let error) = kind { error } else { nil }
    }
}

/// A request that is turned away before the law is asked.
package struct TurnedAway: Sendable {
    /// The status.
    package let status: Int
    /// Which it is; programs branch on this.
    package let code: String
    /// What happened and what to do, for people.
    package let sentence: String
    /// The status in a few words, where the style's own do not fit.
    package let title: String?
    /// What is declared of the code, its cure among it; nil where nobody declares it.
    package let kind: Reason.Kind?

    /// Says why.
    /// - Parameter kinds: Where the code is declared.
    package init(
        _ status: Int, code: String, _ sentence: String, title: String? = nil,
        among kinds: [Reason.Kind] = Reason.Kind.requests
    ) {
        self.status = status
        self.code = code
        self.sentence = sentence
        self.title = title
        kind = kinds.first { $0.text == code }
    }
}
