import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore

/// The authenticated caller of a content request: an operator, or a holder on a device.
struct ContentCaller: TenantCaller {
    let tenant: TenantID
    let actor: Actor
    /// The calling holder and device; `nil` for an operator, who can access all holders' data.
    let holder: PresentHolder?
    let scopes: [String]

    /// The holder to whom a response is limited: the caller's holder or, for an operator, the one that the request
    /// names; `nil` for all holders.
    func narrowed(to named: String?) -> String? { holder?.holder ?? named }
}

/// A holder on a device, authenticated by a token.
///
/// A class, because every asynchronous function on a request's path would allocate room for copies of a struct.
final class PresentHolder: Sendable {
    let device: Digest
    let token: HolderCredential
    /// The language of messages in responses.
    let language: Language

    init(_ token: HolderCredential, on device: Digest, language: Language) {
        self.token = token
        self.device = device
        self.language = language
    }

    var tenant: TenantID { token.tenant }
    var holder: String { token.holder }

    /// Whether the device was released after the token was created.
    ///
    /// It may still report use. Responses state that it has been released.
    var isReleased: Bool { token.releasedAt != nil }
}

extension SecurityScheme {
    /// The credential that a holder's device sends.
    static let holderToken = SecurityScheme(
        "holderToken", "a holder's token",
        "The token of a holder's device, from `POST /content/{tenant}/v1/holders/token`.")
}

/// The authenticated holder of a device request.
struct HolderCaller: TenantCaller {
    let present: PresentHolder

    var tenant: TenantID { present.tenant }
    var actor: Actor { .device }
    var scopes: [String] { [] }
}

extension ContentContext {
    /// Authenticates operator tokens with a scope and, if `orHolder` is set, holder tokens.
    func with(_ scope: String, orHolder: Bool = false) -> Authentication<ContentCaller> {
        Authentication(
            scope: scope, credentials: orHolder ? [.operatorToken, .holderToken] : [.operatorToken], members: [.tenant]
        ) { [self] request, path, snapshot in
            let (bearer, tenant) = try Self.bearer(of: request, path["tenant"])
            if bearer.hasPrefix(HolderCredential.tokenPrefix) {
                guard orHolder else {
                    throw Failure(
                        RejectedRequest(
                            403, code: "scope_missing",
                            "The token lacks the scope `\(scope)`. "
                                + "Create a token with `tenure token create --scope \(scope)`."))
                }
                let holder = try await present(bearer, of: tenant, in: Language(of: request, at: tenant, in: snapshot))
                return ContentCaller(tenant: tenant, actor: .device, holder: holder, scopes: [])
            }
            let token = try await shared.authenticateOperator(bearer, of: tenant, for: scope).admitted()
            return ContentCaller(tenant: tenant, actor: .operator(token.id), holder: nil, scopes: token.scopes)
        }
    }

    /// Authenticates holder tokens only.
    var holder: Authentication<HolderCaller> {
        Authentication(credentials: [.holderToken], members: [.tenant]) { [self] request, path, snapshot in
            let (bearer, tenant) = try Self.bearer(of: request, path["tenant"])
            guard bearer.hasPrefix(HolderCredential.tokenPrefix) else {
                throw Failure(
                    RejectedRequest(
                        403, code: "scope_missing",
                        "Only a holder's device may send this request. Use the holder's token."))
            }
            let language = Language(of: request, at: tenant, in: snapshot)
            return HolderCaller(present: try await present(bearer, of: tenant, in: language))
        }
    }

    private static func bearer(of request: Request, _ tenant: String?) throws -> (String, TenantID) {
        guard let bearer = request.bearer, let tenant = tenant.flatMap({ TenantID($0) }) else {
            throw Failure.contentTokenInvalid
        }
        return (bearer, tenant)
    }

    /// Looks up a holder token.
    ///
    /// - Throws: ``Failure`` if the token isn't valid for this tenant.
    private func present(
        _ text: String, of tenant: TenantID, in language: Language
    ) async throws -> PresentHolder {
        let plan = HolderCredential.byHash
        let hash = Digest.sha256(of: text)
        let results = try await store.fetch(plan.bind(hash))
        guard let token = results[plan.queries] else {
            let isWellFormed = CredentialText.isWellFormed(text, prefix: HolderCredential.tokenPrefix)
            throw Failure.contentTokenInvalid.aboutMissingRecord(isWellFormed)
        }
        guard token.tenant == tenant, token.kind == .token, token.endedAt == nil, let device = token.device
        else { throw Failure.contentTokenInvalid }
        guard clock.now() < token.expiresAt else {
            throw Failure(
                RejectedRequest(401, code: "token_expired", "The token has expired. Get a new one from the vendor."),
                headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
        }
        return PresentHolder(token, on: device, language: language)
    }
}

extension Failure {
    /// The error for a token that is unknown, has ended, or belongs to another tenant.
    static let contentTokenInvalid = Failure(
        RejectedRequest(
            401, code: "token_invalid",
            "The token is missing or invalid. Send a token of this tenant as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])
}
