import TenureClient
import TenureCore
import TenureFormats
import Testing

@Suite struct ToldReasonTests {
    private func list(_ json: String) throws -> [ToldReason] {
        ToldReason.list(in: try FlatObject(scanning: Array(json.utf8)))
    }

    @Test func `reasons are read as our answers write them`() throws {
        let told = try list(
            #"{"reasons":[{"code":"license_expired","message":"It ended.","cure":"Renew it.","#
                + #""changesAt":"2026-11-21T08:00:00Z","evidence":{"days":3}},{"code":"a","message":"b","cure":null}]}"#
        )
        let moment = Moment(try #require(Timestamp(text: "2026-11-21T08:00:00Z")))
        #expect(
            told == [
                ToldReason(code: "license_expired", message: "It ended.", cure: "Renew it.", changesAt: moment),
                ToldReason(code: "a", message: "b"),
            ])
    }

    @Test(arguments: [
        "{}", #"{"reasons":null}"#, #"{"reasons":"x"}"#, #"{"reasons":[1]}"#, #"{"reasons":[{}]}"#,
        #"{"reasons":[{"code":"No Code"}]}"#, #"{"reasons":[{"code":""}]}"#,
    ])
    func `what is of another shape is left out`(json: String) throws {
        #expect(try list(json).isEmpty)
    }

    @Test func `texts are bounded and hold nothing that steers a terminal`() throws {
        #expect(ToldReason.told("a\u{1B}[31mb\u{07}\u{9B}c") == "a[31mbc")
        #expect(ToldReason.told("\u{0}") == nil)
        #expect(ToldReason.told(String(repeating: "é", count: 10_000))?.utf8.count ?? 0 <= ToldReason.textLimit + 6)
        let many = (0..<100).map { _ in #"{"code":"a"}"# }.joined(separator: ",")
        #expect(try list("{\"reasons\":[\(many)]}").count == ToldReason.countLimit)
    }
}
