package import TenureCore
import TenureHTTP
import TenureStore

/// The outcome of an endpoint that responds with a document.
package enum Documented<Output: Sendable>: Sendable {
    /// A success with the document's value.
    case done(Output)
    /// The request repeats an earlier one with the same idempotency key; these are the bytes of the first response.
    case repeated([UInt8])
    /// The request is refused.
    case refused(Failure)
}

/// A caller that belongs to a tenant.
package protocol TenantCaller: Sendable {
    /// The caller's tenant.
    var tenant: TenantID { get }
    /// The caller as an actor.
    ///
    /// A stored response is returned again only to the same actor.
    var actor: Actor { get }
}

/// Whether an endpoint supports idempotency keys.
package enum Idempotency: Sendable {
    /// Every request takes effect.
    case anew
    /// Requests with the same `Idempotency-Key` take effect once within 24 hours.
    case once
}

extension Endpoint {
    /// Declares an endpoint that responds with a document and appears in the OpenAPI description.
    ///
    /// - Parameters:
    ///   - repeats: Whether requests may have an idempotency key, which ``Call/repeatable`` then contains.
    ///   - document: The body of a success; its schema is part of the description.
    ///   - status: The status of a success.
    package init<Caller: TenantCaller, Input: Sendable, Output: Sendable>(
        _ method: String, _ path: String, _ style: ResponseFormat, _ freshness: Freshness,
        authentication: Authentication<Snapshot, Caller>, reads fields: Fields<Input>, repeats: Idempotency = .anew,
        answers document: Document<Output>, status: Int = 200, operation: Operation,
        _ action: @escaping @Sendable (Call<Caller, Input>) async throws -> Documented<Output>
    ) {
        let named = Fields { reader in
            var name: String?
            if case .once = repeats { name = try reader.idempotencyKey() }
            return (name, try fields.read(&reader))
        }
        self.init(
            method, path, style, freshness, authentication: authentication, reads: named,
            operation: operation.answered(status, with: document)
        ) { named in
            let (name, input) = named.input
            let repeatable = name.map { RepeatableRequest(named.request, at: named.caller, named: $0) }
            let call = Call(request: named.request, caller: named.caller, input: input, repeatable: repeatable)
            switch try await action(call) {
            case .done(let output): return .done(.json(status: status, document.json(output)))
            case .refused(let failure): return .refused(failure)
            case .repeated(let bytes):
                var response = Response.json(status: status, bytes)
                response.headers.add("Idempotent-Replayed", "true")
                return .done(response)
            }
        }
    }
}

extension FieldReader {
    fileprivate mutating func idempotencyKey() throws(Failure) -> String? {
        try optional(
            "Idempotency-Key", .idempotencyKey, in: .header,
            "A key that the client chooses, scoped to its token. Reusing it with a different request is refused.")
    }
}

extension FieldType where Value == String {
    /// A client's idempotency key: 1 to 255 printable ASCII characters.
    ///
    /// It neither starts nor ends with a space, because spaces around a header's value aren't part of it.
    fileprivate static var idempotencyKey: FieldType {
        .text(
            "1 to 255 printable ASCII characters", like: "x",
            schema: .text(length: 1...255, pattern: "^[!-~]([ -~]*[!-~])?$")
        ) { text in
            let bytes = text.utf8
            return (1...255).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
        }
    }
}

extension Failure {
    /// The 422 failure for an idempotency key that was used with a different request.
    package static let keyReused = Failure(
        RejectedRequest(
            422, code: "idempotency_key_reused",
            "A different request was sent with this Idempotency-Key within the last day. Choose a new key.",
            title: "Idempotency key already used"))
}

extension IdempotentOutcome {
    /// Turns the result of a repeatable request into an endpoint's outcome.
    package func documented<Output>(
        _ write: (Answer) throws -> Documented<Output>
    ) throws -> Documented<Output> {
        switch self {
        case .done(let answer): try write(answer)
        case .repeated(let bytes): .repeated(bytes)
        case .keyReused: .refused(.keyReused)
        }
    }
}
