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
    /// Fields of the answer beside those of its style.
    package var headers: Headers = [:]
    /// Members that stand before the style's own, such as Keylight's `activated`.
    package var leading: Members?
    /// Members that stand after them, such as the lease that a refusal leaves.
    package var trailing: Members?

    /// The law's no, with what a dialect writes beside it.
    package init(_ refusal: Refusal, leading: Members? = nil, trailing: Members? = nil) {
        kind = .refused(refusal)
        self.leading = leading
        self.trailing = trailing
    }

    /// A request that cannot be read.
    package init(_ unreadable: Unreadable) { kind = .unreadable(unreadable) }

    /// A request that is turned away.
    package init(_ turnedAway: TurnedAway, headers: Headers = [:]) {
        kind = .turnedAway(turnedAway)
        self.headers = headers
    }

    /// Whatever was thrown while a request was answered.
    package init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ServerError where error.isConflict:
            self.init(TurnedAway(409, code: error.code.text, error.message, title: "Refused"))
        case let error as ServerError: self.init(broken: error)
        default:
            self.init(
                broken: ServerError(.init("unforeseen"), "Something failed that nobody foresaw.", cause: "\(error)"))
        }
    }

    private init(broken error: ServerError) { kind = .broken(error) }

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

    /// Says why.
    package init(_ status: Int, code: String, _ sentence: String, title: String? = nil) {
        self.status = status
        self.code = code
        self.sentence = sentence
        self.title = title
    }
}
