import TenureCore
import TenureFormats
import Testing

@Suite struct ProblemDetailsTests {
    let refusal = Refusal(
        Reason(
            Reason.Kind("license_expired", "The license has expired.", cure: "Renew it.", since: "0.1"),
            message: "The license has expired.", cure: "Renew it.",
            evidence: [
                .init("expiredAt", .date(Timestamp(seconds: 1_735_689_600))), .init("graceDays", .number(3)),
                .init("policy", .text("pro \"x\"")),
            ], changesAt: Timestamp(seconds: 1_735_776_000)),
        [Reason(.licenseUnknown)])

    @Test func `the problem details of a refusal contain all of its reasons`() {
        let problem = ProblemDetails(status: 422, title: "Unprocessable Content", refusal: refusal)
        #expect(
            String(decoding: problem.json(), as: UTF8.self)
                == #"{"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"The license has expired.","#
                + #""code":"license_expired","reasons":[{"code":"license_expired","message":"The license has expired.","#
                + #""cure":"Renew it.","changesAt":"2025-01-02T00:00:00Z","evidence":{"expiredAt":"2025-01-01T00:00:00Z","#
                + #""graceDays":3,"policy":"pro \"x\""}},{"code":"license_unknown","#
                + #""message":"This product has no license with that key.","#
                + #""cure":"Check the key for typing errors, and make sure that it's for this product.","#
                + #""changesAt":null,"evidence":{}}]}"#)
    }

    @Test func `the problem details of an error before any licensing decision have a code and no reasons`() {
        let problem = ProblemDetails(
            status: 413, title: "Content Too Large", code: "body_too_large", detail: "Send less.")
        #expect(
            String(decoding: problem.json(), as: UTF8.self)
                == #"{"type":"about:blank","title":"Content Too Large","status":413,"detail":"Send less.","#
                + #""code":"body_too_large","reasons":[]}"#
        )
    }

    @Test func `a refusal's code and reasons are written after a dialect's own members`() throws {
        let object = try FlatObject(
            scanning: JSONWriter.object {
                $0.member("error", "License has been revoked")
                $0.refusal(refusal)
            })
        #expect(object.names == ["error", "code", "reasons"])
        #expect(object.string("code") == .value("license_expired"))
        #expect(object.objects("reasons").value?.count == 2)
    }
}
