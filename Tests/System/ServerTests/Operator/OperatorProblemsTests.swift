import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import Testing

/// The errors about invalid requests, which name the mistake and a remedy.
@Suite struct `Problems of the operator API` {
    @Test func `each refusal of an invalid operator API request has a reason with a message and a remedy`() async throws
    {
        let shop = try await Shop()
        let none = try await FeatureContext(shop.vendor.store, clock: shop.vendor.clock).makeToken(
            for: TenantID("acme")!, name: "none", scopes: [], expiresAt: nil)
        let paths = await shop.vendor.get("/openapi.json").body["paths"]
        guard case .object(let described)? = paths else { Issue.record("no paths"); return }
        var codes: Set<String> = []
        var count = 0
        for (path, methods) in described {
            guard case .object(let operations) = methods else { continue }
            for method in operations.keys {
                let target = path.replacing("{tenant}", with: "acme").replacing(/\{[a-zA-Z]+\}/, with: "x")
                let mistakes: [(query: String, token: String?, type: String, body: String)] = [
                    ("", nil, "application/json", "{}"), ("", "none", "application/json", "{}"),
                    ("", none.text, "application/json", "{}"), ("none=1", shop.token.text, "application/json", "{}"),
                    ("a=%zz", shop.token.text, "application/json", "{}"),
                    ("", shop.token.text, "text/csv", "a"), ("", shop.token.text, "application/json", "{"),
                    ("", shop.token.text, "application/json", #"{"none": 1}"#),
                ]
                for mistake in mistakes {
                    var headers: Headers = ["Content-Type": mistake.type]
                    if let token = mistake.token { headers.add("Authorization", "Bearer \(token)") }
                    let answer = await shop.vendor.send(
                        method.uppercased(), target, query: mistake.query, mistake.body, headers: headers)
                    guard answer.status >= 400 else { continue }
                    let reason = try #require(answer.first("reasons"), "\(method) \(path): \(answer.body)")
                    #expect(reason.text("code") == answer.code)
                    #expect(reason.text("cure")?.hasSuffix(".") == true, "\(method) \(path): \(reason)")
                    #expect(reason.text("message")?.isEmpty == false)
                    codes.insert(answer.code ?? "")
                    count += 1
                }
            }
        }
        #expect(count > 100)
        #expect(await shop.get("nothing").first("reasons")?.text("cure") == "Check the path for typing errors.")
        #expect(
            codes.isSuperset(of: [
                "token_missing", "token_unknown", "scope_missing", "content_type_unsupported", "json_malformed",
                "field_invalid", "not_found", "query_malformed",
            ]), "\(codes.sorted())")
    }

    @Test(arguments: [
        ("product=note", "product_unknown", "This tenant has no product note. Name one of its products."),
        ("policy=prop", "policy_unknown", "No product of this tenant has a policy prop."),
        ("product=notes&policy=prop", "policy_unknown", "The product notes has no policy prop."),
    ]) func `an unknown product or policy in a filter is refused, and the error names it`(
        query: String, code: String, detail: String
    )
        async throws
    {
        let answer = await (try Shop()).get("licenses?\(query)")
        #expect(answer.status == 422 && answer.code == code && answer.text("detail") == detail)
        #expect(answer.first("reasons")?.text("cure")?.isEmpty == false)
    }
}

extension Vendor {
    fileprivate func send(_ method: String, _ path: String, query: String, _ body: String, headers: Headers) async
        -> Answer
    {
        let request = Request(
            method: method, path: path, query: query, headers: headers, body: Array(body.utf8), id: "r1")
        return Answer(await server.handler.respond(to: request))
    }
}
