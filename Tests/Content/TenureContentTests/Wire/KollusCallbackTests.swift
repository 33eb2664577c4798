import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import Testing

/// The callbacks of Kollus's player and the responses to them, byte by byte.
@Suite struct KollusCallbackTests {
    static let key = "tenure-kollus-test-security-key!"

    static func item(_ members: String = "") -> String {
        #"{"kind":"3","media_content_key":"mck-1","client_user_id":"learner-1","player_id":"p-1"\#(members)}"#
    }

    private func entry(_ text: String) throws -> KollusCallback.Entry {
        try #require(try KollusCallback(items: Array("[\(text)]".utf8)).entries.first)
    }

    @Test func `an item of a Kollus callback may have its numbers as JSON numbers or as strings`() throws {
        let texts = Self.item(
            #","session_key":"s","start_at":"1700000000","content_expired":"1","check_expired":"0","reset_req":"1","#
                + #""localtime":"1795251600","device_name":"iPad","uservalues":{"uservalue0":"x"},"hardware_id":"""#)
        let numbers = texts.replacing(#""3""#, with: "3").replacing(#""1700000000""#, with: "1700000000")
            .replacing(#""1""#, with: "1").replacing(#""0""#, with: "0").replacing(#""1795251600""#, with: "1795251600")
        let expected = KollusItem(
            kind: .check, key: "mck-1", user: "learner-1", player: "p-1", sessionKey: "s", startAt: 1_700_000_000,
            isForceExpired: true, isReset: true, deviceName: "iPad", localTime: Timestamp(seconds: 1_795_251_600))
        #expect(try entry(texts) == .item(expected) && entry(numbers) == .item(expected))
        #expect(expected.asksForReset)
        let bare = try entry(Self.item(#","start_at":"","content_expired":null"#))
        #expect(bare == .item(KollusItem(kind: .check, key: "mck-1", user: "learner-1", player: "p-1")))
        let digits = try entry(Self.item().replacing(#""mck-1""#, with: "42"))
        #expect(digits == .item(KollusItem(kind: .check, key: "42", user: "learner-1", player: "p-1")))
    }

    @Test func `a device name over 256 bytes is truncated between characters`() throws {
        let long = try entry(Self.item(#","device_name":"\#(String(repeating: "é", count: 129))""#))
        guard case .item(let item) = long else {
            Issue.record("it is refused")
            return
        }
        #expect(item.deviceName == String(repeating: "é", count: 128))
    }

    @Test(arguments: [
        (#","reset_req":"1e3""#, "reset_req"), (#","reset_req":1e0"#, "reset_req"), (#","reset_req":2"#, "reset_req"),
        (#","reset_req":-1"#, "reset_req"), (#","reset_req":"+1""#, "reset_req"), (#","reset_req":true"#, "reset_req"),
        (#","start_at":9223372036854775808"#, "start_at"), (#","start_at":"9223372036854775808""#, "start_at"),
        (#","start_at":"1e3""#, "start_at"), (#","start_at":1.5"#, "start_at"), (#","start_at":" 1""#, "start_at"),
        (#","localtime":[]"#, "localtime"), (#","localtime":1.5"#, "localtime"), (#","localtime":1e9"#, "localtime"),
        (#","localtime":"noon""#, "localtime"), (#","localtime":"-""#, "localtime"),
        (#","localtime":true"#, "localtime"),
        (#","check_expired":{}"#, "check_expired"),
        (#","session_key":["s"]"#, "session_key"), (#","device_name":7.5"#, "device_name"),
    ]) func `a Kollus callback item with an invalid member is reported as invalid with the member's name`(
        members: String, name: String
    ) throws {
        guard case .unread(let unread) = try entry(Self.item(members)) else {
            Issue.record("it reads")
            return
        }
        #expect(unread.member == name && unread.kind == 3 && unread.key == "mck-1" && unread.result)
    }

    @Test(arguments: [
        ("0", 0), ("-5", -5), ("4294967296", 4_294_967_296), ("9223372036854775808", 253_402_300_799),
        ("-99999999999999999999999", -62_167_219_200), ("1795251600", 1_795_251_600),
    ]) func `any whole number is read as the time of a player's clock, limited to the years 0 to 9999`(
        text: String, seconds: Int64
    ) throws {
        for written in [text, "\"\(text)\""] {
            guard case .item(let item) = try entry(Self.item(#","localtime":\#(written)"#)) else {
                Issue.record("\(written) is refused")
                continue
            }
            #expect(item.localTime == Timestamp(seconds: seconds))
        }
        #expect(try entry(Self.item(#","localtime":"""#)) == entry(Self.item()))
    }

    @Test(arguments: [
        (#"{"kind":9,"media_content_key":"a"}"#, 9, "a", "kind"), (#"{"kind":"x"}"#, 0, "", "kind"), ("7", 0, "", ""),
        (#"{}"#, 0, "", "kind"), (#"{"kind":0}"#, 0, "", "kind"), (#"{"kind":1}"#, 1, "", "media_content_key"),
        (#"{"kind":1,"media_content_key":"a"}"#, 1, "a", "client_user_id"),
        (#"{"kind":2,"media_content_key":"a","client_user_id":"u"}"#, 2, "a", "player_id"),
        (#"{"kind":2,"media_content_key":"a","client_user_id":"u","player_id":""}"#, 2, "a", "player_id"),
        (#"{"kind":9223372036854775808}"#, 0, "", "kind"), ("null", 0, "", ""), (#""x""#, 0, "", ""),
    ]) func `an invalid item of a Kollus callback doesn't affect the other items`(
        text: String, kind: Int64, key: String, member: String
    ) throws {
        let callback = try KollusCallback(items: Array("[\(Self.item()),\(text),\(Self.item())]".utf8))
        #expect(callback.items.count == 2 && callback.entries.count == 3)
        guard case .unread(let unread) = callback.entries[1] else {
            Issue.record("it was readable")
            return
        }
        #expect(unread.kind == kind && unread.key == key && unread.member == member)
        // A negative result for a completion or a check would take away content that was paid for.
        #expect(unread.result == (kind == 2 || kind == 3))
    }

    @Test(arguments: [0, 1, 10, 11, 40]) func `a Kollus callback without items or with more than 10 items is refused`(
        count: Int
    ) {
        let text = "[" + Array(repeating: Self.item(), count: count).joined(separator: ",") + "]"
        let callback = try? KollusCallback(items: Array(text.utf8))
        #expect(callback?.entries.count == ((1...10).contains(count) ? count : nil))
    }

    @Test(arguments: [
        "", "x", "{}", "null", "[", #"[{"kind":1}"#, #"[{"kind":1}],[]"#, #"[{"kind":1,"kind":2}]"#, "[\u{0}]", "[1,]",
        #"["# + String(repeating: "[", count: 40), #"{"items":[]}"#,
    ]) func `a Kollus callback that isn't a well-formed JSON array is refused as a whole`(text: String) {
        #expect(throws: FormatError.self) { try KollusCallback(items: Array(text.utf8)) }
    }

    @Test func `parsing a truncated or changed Kollus callback never crashes`() {
        let whole = Array("[\(Self.item(#","start_at":"17""#)),\(Self.item())]".utf8)
        for index in whole.indices {
            #expect(throws: FormatError.self) { try KollusCallback(items: Array(whole[..<index])) }
            for byte in [0x00, 0x22, 0x39, 0x5B, 0x7D, 0xFF] as [UInt8] {
                var changed = whole
                changed[index] = byte
                if let callback = try? KollusCallback(items: changed) {
                    #expect((1...10).contains(callback.entries.count))
                }
            }
        }
    }

    private func payload(_ token: String) -> String {
        let part = token.split(separator: ".").map(String.init)[1]
        return String(decoding: Base64.decodeURL(part) ?? [], as: UTF8.self)
    }

    @Test func `the response to Kollus's completion has the bytes of the test vector`() {
        let item = KollusItem(kind: .complete, key: "mck-1", user: "u", player: "p")
        let answers = KollusItem.Answer.withoutStore([item]) ?? []
        let token = String(decoding: KollusToken.answer(answers.map { .answer($0) }, key: Self.key), as: UTF8.self)
        #expect(token.hasPrefix(Base64.encodeURL(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "."))
        #expect(
            payload(token)
                == #"{"data":[{"kind":2,"media_content_key":"mck-1","content_delete":0,"check_expiration_date":0,"result":1}]}"#
        )
        #expect(token.hasSuffix(".ZJ3aBaetnpJaUZ21_0RczHYO3hEP63Rz3jgSOjM1dds"))
    }

    @Test func `the response to each kind of callback item has that kind's members, with whole numbers as integers`()
        throws
    {
        var download = KollusItem.Answer(KollusItem(kind: .download, key: "a", user: "u", player: "p"), result: true)
        download.limits = KollusItem.Answer.Limits(
            expirationDate: 1_893_455_999, counts: .init(plays: 3, playSeconds: 7_200))
        download.basis = .wall
        download.asksBefore = true
        download.needsOnline = false
        let check = KollusItem(kind: .check, key: "b", user: "u", player: "p", sessionKey: "s", startAt: 5)
        var reset = KollusItem.Answer(check, result: true)
        reset.limits = KollusItem.Answer.Limits(expirationDate: 9, counts: nil)
        reset.isReset = true
        reset.checkInBy = 7
        reset.needsOnline = true
        var no = KollusItem.Answer(check, result: false)
        no.message = "It \"ended\"."
        let bad = try KollusCallback(items: Array(#"[{"kind":9,"media_content_key":"c"},{"kind":2}]"#.utf8)).entries
        let unread: [KollusToken.Reply] = bad.compactMap {
            if case .unread(let one) = $0 { .unread(one) } else { nil }
        }
        let token = KollusToken.answer([.answer(download), .answer(reset), .answer(no)] + unread, key: Self.key)
        #expect(
            payload(String(decoding: token, as: UTF8.self))
                == #"{"data":[{"kind":1,"media_content_key":"a","expiration_date":1893455999,"expiration_count":3,"#
                + #""expiration_playtime":7200,"expiration_playtime_type":1,"expiration_refresh_popup":1,"check_abuse":0,"#
                + #""result":1},{"kind":3,"media_content_key":"b","session_key":"s","start_at":5,"expiration_date":9,"#
                + #""check_abuse":1,"content_expire_reset":1,"check_expiration_date":7,"result":1},{"kind":3,"#
                + #""media_content_key":"b","session_key":"s","start_at":5,"result":0,"message":"It \"ended\"."},"#
                + #"{"kind":9,"media_content_key":"c","result":0,"message":"The request could not be understood."},"#
                + #"{"kind":2,"media_content_key":"","result":1}]}"#)
    }

    @Test func `a Kollus media token has the bytes of the test vector`() {
        let token = KollusToken.Media(
            user: "learner-1", expiresAt: Timestamp(seconds: 1_795_338_300), media: [.init(key: "mck-1")])
        let text = token.signed(key: Self.key)
        #expect(payload(text) == #"{"cuid":"learner-1","expt":1795338300,"mc":[{"mckey":"mck-1"}]}"#)
        #expect(text.hasSuffix(".WO23DMfZ4GJSyoMpNM1Y5c6_jV-_p0-nPQ5Mt1AeSVY"))
        #expect(
            token.url(key: Self.key, customKey: "a b&c", isDownload: true)
                == "https://v.kr.kollus.com/s?jwt=\(text)&custom_key=a%20b%26c&download")
        #expect(token.url(key: Self.key, customKey: "k", isDownload: false).hasSuffix("&custom_key=k"))
        let drm = KollusToken.Media.MultiDRM(
            streamingType: "dash", licenseURL: "https://l.example", certificateURL: nil, header: "h", value: "v")
        let multi = KollusToken.Media(
            user: "u", expiresAt: Timestamp(seconds: 5), media: [.init(key: "k", drm: drm)])
        #expect(
            payload(multi.signed(key: Self.key))
                == #"{"cuid":"u","expt":5,"mc":[{"mckey":"k","drm_policy":{"kind":"inka","streaming_type":"dash","data":"#
                + #"{"license_url":"https://l.example","custom_header":{"key":"h","value":"v"}}}}]}"#)
    }
}
