import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureMarketplaceServer
import TenureStore
import Testing

@testable import TenureServerKit

/// How each response format writes each kind of failure, as a table.
@Suite struct `Response formats` {
    static let unknown = Failure(Refusal(.licenseUnknown))
    static let full = Failure(
        Refusal(
            Reason(
                .activationLimitReached, message: "m", cure: "c",
                evidence: [.init("activations", .number(2)), .init("activationLimit", .number(2))])))
    static let stopped = Failure(Refusal(Reason(.licenseSuspended, message: "m", cure: "c")))
    static let revoked = Failure(Refusal(Reason(.licenseRevoked, message: "m", cure: "c")))
    static let away = Failure(RejectedRequest(401, code: "sdk_key_required", "Say who."), headers: ["X": "y"])
    static let busy = Failure(ServerError(.init("busy"), "s", isTransient: true) as any Error)
    static let diskFull = Failure(ServerError(StoreError(.full, "Make room.")) as any Error)
    static let broken = Failure(ServerError(.store, "s") as any Error)
    static let taken = Failure(ServerError(.init("key_taken"), "Taken.") as any Error)
    static let unforeseen = Failure(CancellationError() as any Error)
    static let missing = Failure(FieldFault("a", .missing(must: "a string")))
    static let wrong = Failure(FieldFault("a", .invalid(must: "a UUID")))
    static let inQuery = Failure(FieldFault("a", in: .query, .missing(must: "a UUID")))
    static let inPath = Failure(FieldFault("a", in: .path, .invalid(must: "a UUID")))
    static let long = Failure(FieldFault("a", .tooLong(9)))
    static let type = Failure(.mediaType)
    static let size = Failure(.tooLong(9))
    static let query = Failure(.query)

    /// Returns the status, code and texts of a response in one line.
    func line(_ failure: Failure, _ format: ResponseFormat) -> String {
        let context = RequestContext(request: Request(method: "GET", path: "/"), path: PathParameters())
        let answer = Answer(format.respond(failure, context))
        #expect(answer.code == format.code(failure), "metrics count the code that was sent")
        let said =
            answer.text("error")
            ?? [answer.text("title"), answer.text("detail")].compactMap(\.self).joined(separator: "|")
        let wait = answer.headers["Retry-After"].map { " (\($0))" } ?? ""
        return "\(answer.status) \(answer.code ?? "-") \(said)\(wait)"
    }

    @Test(arguments: [
        (unknown, "404 license_unknown"), (full, "402 activation_limit_reached m"),
        (stopped, "422 license_suspended m"),
        (revoked, "404 license_revoked License has been revoked"), (away, "401 sdk_key_required Say who."),
        (busy, "503 try_again The server is busy. Try again in a moment. (1)"),
        (diskFull, "503 try_again The server is busy. Try again in a moment. (10)"),
        (broken, "500 server_fault The server failed. Its log says why; ask the operator."),
        (unforeseen, "500 server_fault The server failed. Its log says why; ask the operator."),
        (missing, #"400 field_missing The field "a" is missing."#),
        (wrong, #"400 field_invalid The field "a" must be a UUID."#),
        (long, #"400 field_invalid The field "a" is longer than 9 bytes."#),
        (type, "415 content_type_unsupported The body must be JSON. Send it with Content-Type: application/json."),
    ]) func `Keylight's response format writes a failure's status, code and text`(failure: Failure, said: String) {
        #expect(line(failure, .keylight).hasPrefix(said))
    }

    @Test(arguments: [
        (unknown, "404 license_unknown Not found|"), (full, "409 activation_limit_reached Refused|m"),
        (stopped, "403 license_suspended Refused|m"), (away, "401 sdk_key_required SDK key required|Say who."),
        (busy, "503 try_again Server busy|The server is busy. Try again in a moment. (1)"),
        (broken, "500 server_fault Server error|The server failed. Its log says why; ask the operator."),
        (missing, #"422 field_missing Invalid request|The field "a" is missing: a string."#),
        (inQuery, #"422 field_missing Invalid request|The query parameter "a" is missing: a UUID."#),
        (wrong, #"422 field_invalid Invalid request|The field "a" must be a UUID."#),
        (size, "413 body_too_large Invalid request|The body is too long. Send at most 9 bytes."),
        (query, "400 query_malformed Invalid request|The query can't be parsed. Send name=value&name=value."),
    ]) func `the Tenure dialect's response format writes a failure's status, code and text`(
        failure: Failure, said: String
    ) {
        #expect(line(failure, .leases).hasPrefix(said))
    }

    @Test(arguments: [
        (unknown, "404 license_unknown Not found|"), (stopped, "409 license_suspended Refused|m"),
        (away, "401 sdk_key_required Unauthorized|Say who."),
        (busy, "503 try_again Server busy|Try again in a moment. (1)"),
        (broken, "500 server_fault Server error|The server failed. Its log says why; ask the operator."),
        (taken, "409 key_taken Refused|Taken."), (missing, "422 field_missing Missing field|a is missing"),
        (wrong, "422 field_invalid Invalid request|a: must be a UUID"),
        (inPath, "404 not_found Not found|Nothing was found with this name. Check the names in the path."),
        (query, "400 query_malformed Invalid query"),
        (
            type,
            "415 content_type_unsupported Unsupported media type|The body must be JSON. Send it with Content-Type: application/json."
        ),
    ]) func `the operator API's response format writes a failure's status, code and text`(
        failure: Failure, said: String
    ) {
        #expect(line(failure, .problem).hasPrefix(said))
    }

    @Test(arguments: [
        (away, "401 sdk_key_required Unauthorized|Say who."),
        (busy, "503 try_again Server busy|Try again in a moment. (1)"),
        (broken, "500 server_fault Server error|The server failed. Its log says why; ask the operator."),
        (missing, "400 field_invalid Invalid request|/a: must be a string"),
        (wrong, "400 field_invalid Invalid request|/a: must be a UUID"),
        (query, "400 field_invalid Invalid request|?: can't be parsed; send name=value&name=value"),
    ]) func `the marketplace's response format writes a failure's status, code and text`(failure: Failure, said: String)
    {
        #expect(line(failure, .apple).hasPrefix(said))
    }

    @Test
    func `a failure's leading members are written before its standard members, and its trailing members after them`()
        throws
    {
        var failure = Self.stopped
        failure.leading = { $0.member("valid", false) }
        failure.trailing = { $0.member("lease", "l") }
        let context = RequestContext(request: Request(method: "GET", path: "/"), path: PathParameters())
        let written = try FlatObject(scanning: ResponseFormat.keylight.respond(failure, context).body.bytes)
        #expect(written.names == ["valid", "error", "code", "reasons", "lease"])
        let problem = try FlatObject(scanning: ResponseFormat.leases.respond(failure, context).body.bytes)
        #expect(problem.names == ["valid", "type", "title", "status", "detail", "code", "reasons", "lease"])
    }
}
