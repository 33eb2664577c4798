package import TenureCore
import TenureHTTP
import TenureStore

/// What an endpoint that answers with a document comes to.
package enum Documented<Output: Sendable>: Sendable {
    /// It is done; this is told.
    case done(Output)
    /// It had been done before, for the same idempotency key; the bytes of that answer.
    case repeated([UInt8])
    /// The law says no.
    case refused(Failure)
}

/// Where a request is let in, if that is with a tenant.
package protocol TenantPlace: Sendable {
    /// The tenant.
    var tenant: TenantID { get }
    /// Who asks: what is remembered of a request is told to nobody else.
    var actor: Actor { get }
}

/// Whether the same request is carried out each time that it is sent.
package enum Repeats: Sendable {
    /// Each time.
    case anew
    /// Once, where its client names it with an `Idempotency-Key`, for a day.
    case once
}

extension Endpoint {
    /// Declares an endpoint that answers with a document, and that tools are told of.
    /// - Parameters:
    ///   - repeats: Whether its requests may be named; the name is in the call then.
    ///   - answers: What the yes holds; the schema says so too.
    ///   - status: The yes's status.
    package init<Place: TenantPlace, Input: Sendable, Output: Sendable>(
        _ method: String, _ path: String, _ style: Style, _ freshness: Freshness,
        admits: Admission<Snapshot, Place>, reads fields: Fields<Input>, repeats: Repeats = .anew,
        answers document: Document<Output>, status: Int = 200, operation: Operation,
        _ action: @escaping @Sendable (Call<Place, Input>) async throws -> Documented<Output>
    ) {
        let named = Fields { reader in
            var name: String?
            if case .once = repeats { name = try reader.idempotencyKey() }
            return (name, try fields.read(&reader))
        }
        self.init(
            method, path, style, freshness, admits: admits, reads: named,
            operation: operation.answered(status, with: document)
        ) { named in
            let (name, input) = named.input
            let repeatable = name.map { RepeatableRequest(named.request, at: named.place, named: $0) }
            let call = Call(request: named.request, place: named.place, input: input, repeatable: repeatable)
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
            "A text of the client's own choice, its token's alone; the same key with another request is refused.")
    }
}

extension Shape where Value == String {
    /// What a client calls a request. Blanks around it are no part of a header field's value.
    fileprivate static var idempotencyKey: Shape {
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
    /// The idempotency key was used for another request.
    package static let keyReused = Failure(
        TurnedAway(
            422, code: "idempotency_key_reused",
            "Another request was sent with this Idempotency-Key within a day. Choose a new key.",
            title: "The idempotency key was used before"))
}

extension Once {
    /// What a request that may be a repeated one is answered with.
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
