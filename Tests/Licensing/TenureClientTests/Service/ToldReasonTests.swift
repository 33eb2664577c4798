import Foundation
import TenureClient
import TenureCore
import TenureFormats
import Testing

@Suite struct ToldReasonTests {
    private func list(_ json: String) throws -> [ToldReason] {
        ToldReason.list(in: try FlatObject(scanning: Array(json.utf8)))
    }

    @Test func `the client reads a reason's code, message, cure, change time and evidence`() throws {
        let result = try list(
            #"{"reasons":[{"code":"license_expired","message":"It ended.","cure":"Renew it.","#
                + #""changesAt":"2026-11-21T08:00:00Z","evidence":{"days":3}},{"code":"a","message":"b","cure":null}]}"#
        )
        let time = Moment(try #require(Timestamp(text: "2026-11-21T08:00:00Z")))
        #expect(
            result == [
                ToldReason(
                    code: "license_expired", message: "It ended.", cure: "Renew it.", changesAt: time,
                    evidence: ["days": "3"]),
                ToldReason(code: "a", message: "b"),
            ])
    }

    @Test(arguments: [
        "{}", #"{"reasons":null}"#, #"{"reasons":"x"}"#, #"{"reasons":[1]}"#, #"{"reasons":[{}]}"#,
        #"{"reasons":[{"code":"No Code"}]}"#, #"{"reasons":[{"code":""}]}"#,
    ])
    func `the client leaves out malformed reasons of a response`(json: String) throws {
        #expect(try list(json).isEmpty)
    }

    @Test func `evidence that is a date, text or whole number is read, and other evidence is left out`() throws {
        let result = try list(
            #"{"reasons":[{"code":"a","evidence":{"at":"2026-11-21T08:00:00Z","of":"pro","left":-2,"#
                + #""more":{"x":1},"no":null,"half":0.5,"bad name":1,"":2,"dirty":"a\u001bb"}}]}"#)
        #expect(
            result.first?.evidence == ["at": "2026-11-21T08:00:00Z", "of": "pro", "left": "-2", "dirty": "ab"])
        #expect(try list(#"{"reasons":[{"code":"a","evidence":[1]},{"code":"b"}]}"#).map(\.evidence) == [nil, nil])
        let many = (0..<100).map { "\"f\($0)\":\($0)" }.joined(separator: ",")
        #expect(
            try list("{\"reasons\":[{\"code\":\"a\",\"evidence\":{\(many)}}]}").first?.evidence?.count
                == ToldReason.evidenceLimit)
    }

    @Test func `a reason without evidence, as earlier versions stored it, can be read`()
        throws
    {
        let bare = ToldReason(code: "a", message: "b")
        let text = String(decoding: try JSONEncoder().encode(bare), as: UTF8.self)
        #expect(!text.contains("evidence"))
        #expect(try JSONDecoder().decode(ToldReason.self, from: Data(text.utf8)) == bare)
        let full = ToldReason(code: "a", message: "b", evidence: ["days": "3"])
        #expect(try JSONDecoder().decode(ToldReason.self, from: try JSONEncoder().encode(full)) == full)
        #expect(Reason(full).evidence == [.init("days", .text("3"))])
    }

    @Test
    func `reasons are limited in number and length, and control characters are removed from their texts`() throws {
        #expect(ToldReason.cleaned("a\u{1B}[31mb\u{07}\u{9B}c") == "a[31mbc")
        #expect(ToldReason.cleaned("\u{0}") == nil)
        #expect(ToldReason.cleaned(String(repeating: "é", count: 10_000))?.utf8.count ?? 0 <= ToldReason.textLimit + 6)
        let many = (0..<100).map { _ in #"{"code":"a"}"# }.joined(separator: ",")
        #expect(try list("{\"reasons\":[\(many)]}").count == ToldReason.countLimit)
    }
}
