import TenureCore
import TenureHTTP
import TenureStore

/// Speaks the operator API under `/v1/{tenant}`: what a vendor's shop and back office call with a token.
///
/// `/openapi.json` describes it. It translates and decides nothing.
struct AdminDialect: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock
    let log: any Log
    let randomness: Randomness

    /// What an answered call works with: the tenant in the path and who calls.
    struct Call: Sendable {
        let request: Request
        let path: PathParameters
        let tenant: TenantID
        let actor: Actor
        let query: QueryItems
    }

    typealias Answer = @Sendable (Call) async throws(AdminFailure) -> Response

    /// Declares the dialect's routes.
    func declareRoutes(on router: inout Router) {
        declare("POST", "/v1/{tenant}/licenses", "licenses:write", on: &router) { call throws(AdminFailure) in
            try await create(call)
        }
        declare("GET", "/v1/{tenant}/licenses", "licenses:read", on: &router) { call throws(AdminFailure) in
            try await list(call)
        }
        declare("POST", "/v1/{tenant}/licenses/find", "licenses:read", on: &router) { call throws(AdminFailure) in
            try await find(call)
        }
        declare("GET", "/v1/{tenant}/licenses/{license}", "licenses:read", on: &router) { call throws(AdminFailure) in
            try await show(call)
        }
        declare("GET", "/v1/{tenant}/licenses/{license}/explain", "licenses:read", on: &router) {
            call throws(AdminFailure) in
            try await explain(call)
        }
        declare("GET", "/v1/{tenant}/licenses/{license}/activations", "licenses:read", on: &router) {
            call throws(AdminFailure) in try await activations(call)
        }
        for act in LicenseVerb.allCases {
            declare("POST", "/v1/{tenant}/licenses/{license}/\(act.rawValue)", "licenses:write", on: &router) {
                call throws(AdminFailure) in try await perform(act, call)
            }
        }
        declare("POST", "/v1/{tenant}/activations/{activation}/release", "activations:write", on: &router) {
            call throws(AdminFailure) in try await release(call)
        }
        declare("GET", "/v1/{tenant}/events", "events:read", on: &router) { call throws(AdminFailure) in
            try await events(call)
        }
        router.on("GET", "/openapi.json") { _, _ in .json(OpenAPI.document) }
    }

    private func declare(
        _ method: String, _ pattern: String, _ scope: String, on router: inout Router, _ answer: @escaping Answer
    ) {
        router.on(method, pattern) { request, path in
            do throws(AdminFailure) {
                return try await answer(try await call(request, path, scope))
            } catch {
                if let fault = error.fault {
                    log.write(
                        LogLine(
                            .error, "request_failed", [("id", .text(request.id)), ("error", .text(fault.description))]))
                }
                return error.response
            }
        }
    }

    /// Who calls, and for which tenant: an unknown tenant and a wrong token are refused alike.
    private func call(
        _ request: Request, _ path: PathParameters, _ scope: String
    ) async throws(AdminFailure) -> Call {
        let unauthorized = AdminFailure(
            401, "Unauthorized", code: "token_invalid",
            detail: "Send a working token of this tenant as Authorization: Bearer TOKEN.",
            headers: ["WWW-Authenticate": "Bearer"])
        guard let bearer = request.headers["Authorization"], bearer.lowercased().hasPrefix("bearer "),
            let tenant = path["tenant"].flatMap({ TenantID($0) })
        else { throw unauthorized }
        let text = String(bearer.dropFirst("bearer ".count))
        let outcome = try await failing { () async throws(ServerError) in
            try await Authenticate(store: store, clock: clock)(text, of: tenant, for: scope)
        }
        switch outcome {
        case .unknown: throw unauthorized
        case .lacks(let scope):
            throw AdminFailure(
                403, "Forbidden", code: "scope_missing", detail: "The token has not the scope \(scope).")
        case .allowed(let token):
            guard let query = QueryItems(request.query) else {
                throw AdminFailure(400, "The query cannot be read", code: "query_malformed")
            }
            return Call(request: request, path: path, tenant: tenant, actor: .operator(token.id), query: query)
        }
    }

    /// Turns what the server could not keep into an answer.
    func failing<Value>(_ body: () async throws(ServerError) -> Value) async throws(AdminFailure) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw AdminFailure(error)
        }
    }
}
