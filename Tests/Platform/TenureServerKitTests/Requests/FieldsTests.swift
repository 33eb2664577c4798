import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Reading the fields of a request` {
    struct Order: Sendable {
        let product: ProductID
        let count: Int
        let note: String?
        let end: FieldReader.Clearable<Timestamp>
        let limit: Int
    }

    static let order = Fields(longestBody: 200) { fields in
        Order(
            product: try fields.required("product", .slug(), "The product."),
            count: try fields.optional("count", .integer(1...9), else: 1, "How many."),
            note: try fields.optional("note", .line(1...8)),
            end: try fields.clearable("end", .dateTime),
            limit: try fields.optional("limit", .integer(1...1000), in: .query, else: 100))
    }

    /// Sends a request to an endpoint and returns the values of its fields, or the fault that the reader found.
    func read(
        _ body: String, type: String? = "application/json", query: String = "", format: ResponseFormat = .problem
    ) async throws -> String {
        var style = format
        style.respond = { failure, _ in
            guard case .unreadable(let unreadable) = failure.kind else { return .text("\(failure.kind)") }
            guard case .field(let fault) = unreadable else { return .text(unreadable.code) }
            return .text("\(unreadable.code) \(fault.pointer): \(fault.words)")
        }
        let endpoint = Endpoint(
            "POST", "/", format: style, catalog: .cached, authentication: .everyone, reads: Self.order
        ) {
            call in
            let input = call.input
            return .done(.text("\(input.product) \(input.count) \(input.note ?? "-") \(input.end) \(input.limit)"))
        }
        let headers: Headers = type.map { ["Content-Type": $0] } ?? [:]
        let request = Request(method: "POST", path: "/", query: query, headers: headers, body: Array(body.utf8))
        return String(
            decoding: try await TestRequestHandler([endpoint]).requestHandler.respond(to: request).body.bytes,
            as: UTF8.self
        )
    }

    @Test(arguments: [
        (#"{"product": "a"}"#, "a 1 - left 100"), (#"{"product": "a", "count": 9}"#, "a 9 - left 100"),
        (#"{"product": "a", "count": 9.0}"#, "a 9 - left 100"),
        (#"{"product": "a", "count": 0.9E1}"#, "a 9 - left 100"),
        (#"{"product": "a", "count": null, "note": null, "end": null}"#, "a 1 - cleared 100"),
        (#"{"product": "a", "note": "12345678"}"#, "a 1 12345678 left 100"),
        (#"{"product": "a", "end": "1970-01-01T00:00:00Z"}"#, "a 1 - given(1970-01-01T00:00:00Z) 100"),
    ]) func `a body's member is parsed as its declared type, and a missing one gets its default`(
        body: String, read: String
    ) async throws {
        #expect(try await self.read(body) == read)
    }

    @Test(arguments: [
        (#"{}"#, "field_missing /product: is missing"), ("", "field_missing /product: is missing"),
        (#"{"product": null}"#, "field_missing /product: is missing"),
        (
            #"{"product": ""}"#,
            "field_invalid /product: must be 1 to 64 characters: a-z, 0-9, _ and -, beginning with a letter or a digit"
        ),
        (#"{"product": 7}"#, "field_invalid /product: must be a string"),
        (#"{"product": "a", "count": 0}"#, "field_invalid /count: must be from 1 to 9"),
        (#"{"product": "a", "count": 10}"#, "field_invalid /count: must be from 1 to 9"),
        (#"{"product": "a", "count": 1.5}"#, "field_invalid /count: must be a whole number"),
        (
            #"{"product": "a", "note": "123456789"}"#,
            "field_invalid /note: must be 1 to 8 characters, without control characters"
        ),
        (#"{"product": "a", "end": "soon"}"#, "field_invalid /end: must be a date such as 2027-01-31T00:00:00Z"),
        (
            #"{"product": "a", "more": 1}"#,
            "field_invalid /more: unknown field; known fields here: product, count, note, end"
        ), ("[]", "json_not_an_object"), ("{", "json_malformed"),
        (#"{"product": "\#(String(repeating: "a", count: 200))"}"#, "body_too_large"),
    ]) func `an invalid field is reported with its location, and an unreadable body with its fault`(
        body: String, said: String
    ) async throws {
        #expect(try await read(body) == said)
    }

    @Test(arguments: [
        ("limit=7", "a 1 - left 7"), ("limt=7", "field_invalid ?limt: unknown field; known fields here: limit"),
        ("limit=0", "field_invalid ?limit: must be from 1 to 1000"),
        ("limit=+7", "field_invalid ?limit: must be from 1 to 1000"),
        ("limit=1&limit=2", "field_invalid ?limit: must be sent once"), ("limit=%", "query_malformed"),
    ]) func `a query parameter is parsed as its declared type, and a faulty or unknown one is reported`(
        query: String, read: String
    ) async throws {
        #expect(try await self.read(#"{"product": "a"}"#, query: query) == read)
    }

    @Test func `a response format defines which content types and unknown members of a body are accepted`() async throws
    {
        let good = #"{"product": "a"}"#
        for (type, isRead) in [
            (nil, true), ("application/json", true), ("Application/JSON ; charset=utf-8", true), ("text/plain", false),
            ("application/jsonp", false),
        ] {
            #expect(try await read(good, type: type) == (isRead ? "a 1 - left 100" : "content_type_unsupported"))
        }
        var open = ResponseFormat.problem
        open.unknownMembers = .ignored
        #expect(try await read(#"{"product": "a", "more": 1}"#, format: open) == "a 1 - left 100")
        var any = open
        any.mediaTypes = .jsonByAnyName
        #expect(try await read(good, type: "text/plain", format: any) == "a 1 - left 100")
        var form = open
        form.mediaTypes = .form
        let named = "application/x-www-form-urlencoded"
        #expect(try await read("product=a&count=2&note=", type: named, format: form) == "a 2 - left 100")
        #expect(
            try await read("product=a&product=b", type: named, format: form)
                == "field_invalid /product: must be sent once")
        #expect(try await read("product=%FF", type: named, format: form) == "form_malformed")
        #expect(
            try await read("product=a&note=1+2%C3%A4", type: named + "; charset=utf-8", format: form)
                == "a 1 1 2ä left 100")
        let full = "product=a&x=" + String(repeating: "a", count: 188)
        #expect(try await read(full, type: named, format: form) == "a 1 - left 100")
        #expect(try await read(full + "a", type: named, format: form) == "body_too_large")
        #expect(try await read("product=a", type: nil, format: form) == "content_type_unsupported")
        #expect(try await read(full + "a", type: nil, format: form) == "content_type_unsupported")
        var measured = form
        measured.looksAtLengthFirst = true
        #expect(try await read(full + "a", type: nil, format: measured) == "body_too_large")
        var lenient = open
        lenient.readsEmptyAsAbsent = true
        #expect(try await read(#"{"product": ""}"#, format: lenient) == "field_missing /product: is missing")
    }

    @Test func `an endpoint's field declaration lists each field's location, type and whether it's required`() {
        let members = Self.order.declaration.members
        #expect(members.map(\.name) == ["product", "count", "note", "end", "limit"])
        #expect(members.map(\.isRequired) == [true, false, false, false, false])
        #expect(members.map(\.location) == [.body, .body, .body, .body, .query])
        #expect(String(decoding: members[1].schema.tree.lines, as: UTF8.self).contains(#""maximum": 9"#))
    }
}

/// A request handler with a catalog of no tenants.
struct TestRequestHandler {
    struct NoLog: Log {
        func write(_ line: LogLine) {}
    }

    let requestHandler: RequestHandler

    init(_ endpoints: [Endpoint]) async throws {
        requestHandler = RequestHandler(
            endpoints, under: try await TestCatalog().cache, metrics: Metrics(), log: NoLog(), stopwatch: { 0 },
            otherwise: Router.plainText)
    }
}
