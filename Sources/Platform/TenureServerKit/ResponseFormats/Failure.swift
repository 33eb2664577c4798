package import TenureCore
package import TenureFormats
package import TenureHTTP

/// The failure of a request, in any dialect. Its ``ResponseFormat`` turns it into a response.
package struct Failure: Error, Sendable {
    package enum Kind: Sendable {
        /// The request was understood and refused.
        case refused(Refusal)
        /// The request can't be decoded.
        case unreadable(InvalidField)
        /// The request was rejected before a decision, for example because of a missing token or too many attempts.
        case turnedAway(RejectedRequest)
        /// The server failed or is busy. A client must not change its state because of this.
        case broken(ServerError)
    }

    /// Writes additional members into the JSON body of a response.
    package typealias Members = @Sendable (inout JSONObjectWriter) -> Void

    package private(set) var kind: Kind
    /// The status of a refusal, if it differs from the format's default status.
    package var status: Int?
    /// Headers in addition to the format's, such as `Retry-After`.
    package var headers: Headers = [:]
    /// Writes members before the format's own, such as Keylight's `activated`; `nil` for none.
    package var leading: Members?
    /// Writes members after the format's own, such as the lease that stays valid after a refusal; `nil` for none.
    package var trailing: Members?
    /// Whether the store lacks the record that the request names.
    ///
    /// While the store is known to have lost records, the response is 503 instead, because the store may have lost
    /// this record.
    package private(set) var concernsMissingRecord = false

    package init(_ refusal: Refusal) {
        kind = .refused(refusal)
        concernsMissingRecord = refusal.first.code == .licenseUnknown
    }

    package init(_ unreadable: InvalidField) { kind = .unreadable(unreadable) }

    package init(_ turnedAway: RejectedRequest, headers: Headers = [:]) {
        kind = .turnedAway(turnedAway)
        self.headers = headers
    }

    /// Creates a 429 failure. A client must not change its state because of it.
    ///
    /// - Parameter seconds: How long the client must wait, in seconds.
    package static func tooMany(_ sentence: String, retryAfter seconds: Int64) -> Failure {
        Failure(
            RejectedRequest(429, code: "try_again", sentence), headers: ["Retry-After": String(max(1, seconds))])
    }

    /// Returns a copy that is marked as a failure about a record that the store lacks, if `isMissing` is set.
    package func aboutMissingRecord(_ isMissing: Bool = true) -> Failure {
        var failure = self
        failure.concernsMissingRecord = isMissing
        return failure
    }

    /// Whether the status is 429.
    package var isTooMany: Bool {
        if case .turnedAway(let away) = kind { away.status == 429 } else { false }
    }

    /// Converts an error that was thrown while a request was handled.
    package init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ServerError where error.isConflict:
            self.init(
                RejectedRequest(
                    409, code: error.code.text, error.message, title: "Refused",
                    among: [.keyTaken] + Reason.Kind.requests))
        case let error as ServerError where error.code == .recordMissing || error.code == .formerPrimary:
            self = .storeRewound
        case let error as ServerError: self.init(broken: error)
        default:
            self.init(
                broken: ServerError(.init("unforeseen"), "An unexpected error occurred.", cause: "\(error)"))
        }
    }

    private init(broken error: ServerError) {
        kind = .broken(error)
        // While the disk is full, the server tries again every six seconds.
        if error.isTransient { headers.add("Retry-After", error.code == .storeFull ? "10" : "1") }
    }

    /// Returns a refusal with the remedies for the vendor; any other failure is returned unchanged.
    ///
    /// - Parameter license: The license in the path. Commands in remedies name it only by its id, because a key is
    ///   secret.
    func forVendor(of license: String?) -> Failure {
        guard case .refused(let refusal) = kind else { return self }
        let id = license.flatMap { LicenseID(text: $0)?.description } ?? "LICENSE"
        var failure = self
        failure.kind = .refused(refusal.forVendor(of: id))
        return failure
    }

    /// The reasons for a refusal, most specific first; empty for other failures.
    package var reasons: [Reason] {
        if case .refused(let refusal) = kind { refusal.reasons } else { [] }
    }

    /// The stable error code.
    package var code: String {
        switch kind {
        case .refused(let refusal): refusal.first.code.text
        case .unreadable(let unreadable): unreadable.code
        case .turnedAway(let away): away.code
        case .broken(let error): error.isTransient ? "try_again" : "server_fault"
        }
    }

    /// The server's error, for the log; `nil` for other failures.
    package var fault: ServerError? {
        if case .broken(let error) = kind { error } else { nil }
    }
}

/// A request that was rejected before a decision, such as a request without a token.
package struct RejectedRequest: Sendable {
    package let status: Int
    /// The stable error code.
    package let code: String
    /// The problem and how to correct it, for people.
    package let sentence: String
    /// The problem's title, if it differs from the status's default title.
    package let title: String?
    /// The code's declaration, which includes a remedy; `nil` if the code isn't declared.
    package let kind: Reason.Kind?

    /// Creates a rejection.
    ///
    /// - Parameter kinds: The declarations among which the code is looked up.
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
