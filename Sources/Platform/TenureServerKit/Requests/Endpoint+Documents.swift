package import TenureCore
import TenureHTTP
import TenureStore

/// The outcome of an endpoint that responds with a document.
package enum Documented<Output: Sendable>: Sendable {
    /// A success with the document's value.
    case done(Output)
    /// The request repeats an earlier one with the same idempotency key. This is the stored row of the earlier one.
    case repeated(IdempotentResponse)
    case refused(Failure)
}

/// A caller that belongs to a tenant.
package protocol TenantCaller: Sendable {
    var tenant: TenantID { get }
    /// The caller as an actor.
    ///
    /// A stored response is returned again only to the same actor.
    var actor: Actor { get }
    /// The scopes of the caller's token; empty for a device.
    var scopes: [String] { get }
}

/// Whether an endpoint supports idempotency keys.
package enum Idempotency: Sendable {
    /// Every request takes effect, because idempotency keys aren't supported.
    case anew
    /// Requests with the same `Idempotency-Key` take effect once. The records define the response to a repetition.
    case once(RepeatedRecords)

    /// The response to a later request with the same key; `nil` if idempotency keys aren't supported.
    var records: RepeatedRecords? {
        if case .once(let records) = self { records } else { nil }
    }
}

extension Endpoint {
    /// Declares an endpoint that responds with a document and appears in the OpenAPI description.
    ///
    /// - Parameters:
    ///   - repeats: Whether requests may have an idempotency key. ``Call/repeatable`` then contains the key.
    ///   - document: The body of a success. The OpenAPI description includes its schema.
    ///   - status: The status of a success.
    package init<Caller: TenantCaller, Input: Sendable, Output: Sendable>(
        _ method: String, _ path: String, format: ResponseFormat, catalog: CatalogUse,
        authentication: Authentication<Caller>, reads fields: Fields<Input>, repeats: Idempotency = .anew,
        answers document: Document<Output>, status: Int = 200, operation: Operation,
        _ action: @escaping @Sendable (Call<Caller, Input>) async throws -> Documented<Output>
    ) {
        let named = Fields { reader in
            var name: String?
            if repeats.records != nil { name = try reader.idempotencyKey() }
            return (name, try fields.read(&reader))
        }
        self.init(
            method, path, format: format, catalog: catalog, authentication: authentication, reads: named,
            operation: operation.answered(status, with: document, repeatedWith: repeats.records)
        ) { named in
            let (name, input) = named.input
            let repeatable = name.map { RepeatableRequest(named.request, by: named.caller, named: $0) }
            let call = Call(request: named.request, caller: named.caller, input: input, repeatable: repeatable)
            // Checked before the action, because records that the request names may have been removed since the first
            // request.
            var outcome: Documented<Output>?
            if let repeatable { outcome = try await repeats.records?.earlier(repeatable) }
            let answered = if let outcome { outcome } else { try await action(call) }
            switch answered {
            case .done(let output): return .done(.json(status: status, document.json(output)))
            case .refused(let failure): return .refused(failure)
            case .repeated(let earlier):
                // Only a request with a key can be a repetition, and only endpoints with `records` read a key.
                guard let records = repeats.records else { return .refused(.keyReused) }
                return .done(try await records.response(to: named.caller, repeating: earlier, status: status))
            }
        }
    }
}

extension FieldReader {
    fileprivate mutating func idempotencyKey() throws(Failure) -> String? {
        try optional(
            "Idempotency-Key", .idempotencyKey, in: .header,
            "A key that the client chooses for one order, such as the id of an invoice. For 120 days, another request "
                + "of the tenant with this key changes nothing. Reusing it for a different request is refused.")
    }
}

extension FieldType where Value == String {
    /// A client's idempotency key: 1 to 255 printable ASCII characters.
    ///
    /// A key neither starts nor ends with a space, because spaces around a header's value aren't part of the value.
    fileprivate static var idempotencyKey: FieldType {
        .text(
            "1 to 255 printable ASCII characters", like: "x",
            schema: .text(length: 1...255, pattern: "^[!-~]([ -~]*[!-~])?$")
        ) { IdempotencyKey.text($0) }
    }

}

extension Failure {
    /// The 422 failure for an idempotency key that was used with a different request.
    package static let keyReused = Failure(
        RejectedRequest(
            422, code: "idempotency_key_reused",
            "A different request was sent with this Idempotency-Key within the last 120 days. Choose a new key.",
            title: "Idempotency key already used"))
}

extension IdempotentOutcome {
    /// Converts the result of a repeatable change to an endpoint's outcome.
    package func documented<Output>(
        _ write: (Answer) throws -> Documented<Output>
    ) throws -> Documented<Output> {
        switch self {
        case .done(let answer): try write(answer)
        case .repeated(let earlier): .repeated(earlier)
        case .keyReused: .refused(.keyReused)
        }
    }
}
