import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureSelling
import TenureServerKit
import TenureStore

/// Receives messages from payment providers.
///
/// A message without a valid signature is rejected, and nothing is stored. A signed message is stored once, and a job
/// acts on it, because providers repeat a message whose response takes longer than a few seconds.
struct ReceiveMessage: Sendable {
    let selling: SellingContext
    let unsigned: UnsignedMessages

    /// The largest body in bytes: 1 MiB.
    private static let longestBody = 1 << 20

    var endpoint: Endpoint {
        Endpoint(
            "POST", "/v1/{tenant}/intake/{source}", format: .problem, catalog: .current, authentication: .source,
            reads: .raw(longestBody: Self.longestBody)
        ) { [self] call in
            let now = selling.clock.now()
            let isSigned = call.caller.isSigned(call.input, headers: call.request.headers, at: now)
            guard let tenant = call.caller.tenant, let source = call.caller.source else {
                throw Failure.messageUnsigned
            }
            guard isSigned else {
                unsigned.note(call.request.headers, to: source, of: tenant, at: now)
                throw Failure.messageUnsigned
            }
            try await store(call.input, from: source, of: tenant, at: now)
            return .done(.json(JSONWriter.object { $0.member("received", true) }))
        }
    }

    /// Stores a message with its job, unless its id is stored already.
    private func store(
        _ body: [UInt8], from source: PaymentSource, of tenant: TenantID, at now: Timestamp
    ) async throws(ServerError) {
        var random = selling.randomness.generator()
        let message = PaymentMessage(
            ReceivedMessage(body, from: source.provider, at: now), id: .random(using: &random), of: tenant,
            from: source.id, at: now)
        do throws(ServerError) {
            try await selling.catalog.encrypting { master throws(ServerError) in
                let sealed = try PaymentMessageBody(sealing: body, of: message, under: master)
                let bound = Self.plan.bind(message)
                try await selling.catalog.perform(bound) { results, stored, snapshot in
                    if results[stored] != nil { return TransactionResult(()) }
                    try snapshot.checkEncryption(by: master)
                    let jobs: [RowWrite] = message.state == .waiting ? [.insert(message.job(at: now))] : []
                    return TransactionResult((), [.insert(message), .insert(sealed)] + jobs)
                }
            }
        } catch {
            // Another server stored the same message at the same moment.
            guard error.code == .messageRepeated else { throw error }
        }
    }

    private static let plan = CatalogQueryPlan(for: PaymentMessage.self) { query in
        query.row(PaymentMessage.byMessage) { [.of($0.tenant), .of($0.source), .of($0.message)] }
    }
}

extension ServerError.Code {
    /// A source has received a message with this id before.
    fileprivate static let messageRepeated = ServerError.Code("message_repeated")
}

/// The source of payments that the path of a request names.
struct SourceCaller: Sendable {
    /// The tenant; `nil` if the path names no existing tenant.
    let tenant: TenantID?
    /// The source; `nil` if the path names no existing source.
    let source: PaymentSource?

    /// Whether one of the source's secrets signed these bytes.
    ///
    /// The signatures of all providers are computed, with two secrets each, whether or not the source exists. Without
    /// this, the response time would reveal which sources exist and which providers they have.
    func isSigned(_ body: [UInt8], headers: Headers, at now: Timestamp) -> Bool {
        let isStripe = ProviderSignature.verifiesStripe(
            header: PaymentSource.Provider.stripe.signature(in: headers), body: body, secrets: secrets(for: .stripe),
            now: now)
        let isPaddle = ProviderSignature.verifiesPaddle(
            header: PaymentSource.Provider.paddle.signature(in: headers), body: body, secrets: secrets(for: .paddle),
            now: now)
        return switch source?.provider {
        case .stripe: isStripe
        case .paddle: isPaddle
        case nil: false
        }
    }

    /// Two secrets for a provider's signature: those of the source, completed with random ones.
    private func secrets(for provider: PaymentSource.Provider) -> [[UInt8]] {
        let own = source?.provider == provider ? source?.secrets ?? [] : []
        return (own.map { Array($0.utf8) } + [Self.decoy, Self.decoy]).prefix(2).map { $0 }
    }

    private static let decoy = SecureRandom.bytes(32)
}

extension Authentication where Caller == SourceCaller {
    /// Accepts any caller, because the signature is checked later, over the body.
    fileprivate static var source: Authentication {
        Authentication { _, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }),
                let id = path["source"].flatMap({ SourceID($0) }),
                let source = snapshot.paymentSource(id, of: tenant)
            else { return SourceCaller(tenant: nil, source: nil) }
            return SourceCaller(tenant: tenant, source: source)
        }
    }
}

extension Failure {
    fileprivate static let messageUnsigned = Failure(
        RejectedRequest(
            401, code: "message_unsigned",
            "No secret of a source at this address signed the message, or it was signed too long ago. Nothing was stored."
        ))
}
