import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit

/// The OAuth 2.0 endpoints for apps: server metadata and tokens (RFC 6749, 7636, 8414, 8693).
///
/// The endpoints only read requests and write responses; the use cases that they call make the decisions.
struct TokenDialect: Sendable {
    let context: MarketplaceContext
    let baseURL: String?

    init(_ context: ServerContext) {
        self.context = context.marketplace()
        baseURL = context.baseURL
    }

    var endpoints: [Endpoint] { [metadata, token] }

    /// The grant types and the token type of RFC 6749 and RFC 8693.
    private enum Grant {
        static let code = "authorization_code", refresh = "refresh_token"
        static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
        static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    }

    /// Serves the authorization server metadata (RFC 8414) of the marketplace whose domain the request names.
    private var metadata: Endpoint {
        var format = ResponseFormat.oauth
        format.headers = [:]
        return Endpoint(
            "GET", "/.well-known/oauth-authorization-server", format: format, catalog: .current,
            authentication: .accountsOfHost,
            reads: .none
        ) { call in
            let caller = call.caller
            let origin = caller.snapshot.origin(of: caller.marketplace, orAt: baseURL)
            var response = Response.json(
                JSONWriter.object { body in
                    body.member("issuer", origin)
                    body.member("authorization_endpoint", "\(origin)/oauth/\(caller.tenant)/authorize")
                    body.member("token_endpoint", "\(origin)/oauth/\(caller.tenant)/token")
                    body.member("response_types_supported", ["code"])
                    body.member("response_modes_supported", ["query"])
                    body.member("grant_types_supported", [Grant.code, Grant.refresh, Grant.exchange])
                    body.member("code_challenge_methods_supported", ["S256"])
                    body.member("token_endpoint_auth_methods_supported", ["none"])
                    body.member("scopes_supported", ["all"])
                })
            response.headers.add("Cache-Control", "public, max-age=300")
            return .done(response)
        }
    }

    /// The parameters of a token request.
    ///
    /// The grant type determines which parameters are required.
    private struct TokenRequest: Sendable {
        let grantType: String?
        let client: String?
        let code: String?
        let verifier: String?
        let redirect: String?
        let refresh: String?
        let subject: String?
        let subjectType: String?
        let requestedTypes: [String]
    }

    private var token: Endpoint {
        let fields = Fields { fields in
            TokenRequest(
                grantType: try fields.optional("grant_type", .formText),
                client: try fields.optional("client_id", .formText), code: try fields.optional("code", .formText),
                verifier: try fields.optional("code_verifier", .formText),
                redirect: try fields.optional("redirect_uri", .formText),
                refresh: try fields.optional("refresh_token", .formText),
                subject: try fields.optional("subject_token", .formText),
                subjectType: try fields.optional("subject_token_type", .formText),
                requestedTypes: [
                    try fields.optional("requested_token_type", .formText),
                    try fields.optional("issued_token_type", .formText),
                ].compactMap(\.self))
        }
        return Endpoint(
            "POST", "/oauth/{tenant}/token", format: .oauth, catalog: .current, authentication: .accountsOfTenant,
            reads: fields
        ) { call in
            let given = try await tokens(for: call.input, at: call.caller.tenant)
            let isExchange = call.input.grantType.map(Self.whole) == Grant.exchange
            return .done(
                .json(
                    JSONWriter.object { body in
                        body.member("access_token", given.access.text)
                        // Apple's documentation spells the type differently in the two flows.
                        body.member("token_type", isExchange ? "bearer" : "Bearer")
                        body.member("issued_token_type", Grant.accessToken)
                        body.member("expires_in", SignIn.Lifetime.access)
                        body.member("refresh_token", given.refresh.text)
                        body.member("scope", "all")
                    }))
        }
    }

    private func tokens(for request: TokenRequest, at tenant: TenantID) async throws -> GivenTokens {
        guard let grantType = request.grantType else { throw Self.missing("grant_type") }
        let outcome: TokenExchange?
        switch Self.whole(grantType) {
        case Grant.code:
            let (code, client) = (try Self.needed(request.code, "code"), try Self.client(request))
            let verifier = try Self.verifier(request)
            outcome = try await SignInText(code).asyncMap { shown in
                try await context.giveTokens(
                    code: shown, of: client, verifier: verifier, redirect: request.redirect, at: tenant)
            }
        case Grant.refresh:
            let (token, client) = (try Self.needed(request.refresh, "refresh_token"), try Self.client(request))
            outcome = try await SignInText(token).asyncMap {
                try await context.giveTokens(refresh: $0, of: client, at: tenant)
            }
        case Grant.exchange:
            let (token, client) = (try Self.needed(request.subject, "subject_token"), try Self.client(request))
            let type = try Self.needed(request.subjectType, "subject_token_type")
            guard ([type] + request.requestedTypes).allSatisfy({ Self.whole($0) == Grant.accessToken }) else {
                throw Failure.oauth(
                    "invalid_request", "Only an access token can be exchanged, and only for an access token.")
            }
            outcome = try await SignInText(token).asyncMap {
                try await context.giveTokens(handoff: $0, of: client, at: tenant)
            }
        default:
            throw Failure.oauth(
                "unsupported_grant_type",
                "grant_type must be authorization_code, refresh_token or "
                    + "urn:ietf:params:oauth:grant-type:token-exchange."
            )
        }
        switch outcome {
        case .given(let given): return given
        case .unknown: throw Failure.invalidGrant.aboutMissingRecord()
        case .invalid, nil: throw Failure.invalidGrant
        }
    }

    /// Adds the prefix `urn:` to a name of RFC 8693 that lacks it, as in Apple's tables.
    private static func whole(_ name: String) -> String { name.hasPrefix("ietf:") ? "urn:" + name : name }

    private static func client(_ request: TokenRequest) throws(Failure) -> String {
        let client = try needed(request.client, "client_id")
        guard client.utf8.count <= AuthorizationRequest.longestClient else {
            throw .oauth(
                "invalid_request", "client_id must be at most \(AuthorizationRequest.longestClient) bytes long.")
        }
        return client
    }

    /// Reads the PKCE verifier (RFC 7636 §4.1).
    ///
    /// A shorter verifier could be guessed from its challenge.
    private static func verifier(_ request: TokenRequest) throws(Failure) -> String {
        let verifier = try needed(request.verifier, "code_verifier")
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(isUnreserved) else {
            throw .oauth(
                "invalid_request", "code_verifier must be 43 to 128 characters long: letters, digits, -, ., _ and ~.")
        }
        return verifier
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    private static func needed(_ value: String?, _ name: String) throws(Failure) -> String {
        guard let value else { throw missing(name) }
        return value
    }

    private static func missing(_ name: String) -> Failure { .oauth("invalid_request", "\(name) is missing.") }
}

extension Optional where Wrapped: Sendable {
    /// Maps the value with an asynchronous function; `nil` without a value.
    fileprivate func asyncMap<Made>(_ make: (Wrapped) async throws -> Made?) async rethrows -> Made? {
        guard let self else { return nil }
        return try await make(self)
    }
}
