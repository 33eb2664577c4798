import TenureCore
import TenureCrypto
import Testing

@testable import TenureContent
@testable import TenureContentServer
@testable import TenureFormats

/// Tokens for the license servers of DoveRunner and Axinom, compared with published vectors and our own, and the terms
/// that such servers can't express.
@Suite struct ForeignTokenTests {
    static let now = Timestamp(seconds: 1_795_251_600)
    static let site = DoveRunnerToken.Site(
        id: "TUTO", siteKey: "lU5D8s3PWoLls3PWFWkClULlFWk5D8oC", accessKey: "LT2FVJDp2Xr018zf4Di6lzvNOv3DKP20")!

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text: text)) }

    @Test func `a DoveRunner token with the values of DoveRunner's tutorial has the tutorial's hash`() throws {
        let policy = #"{"playback_policy":{"limit":true,"persistent":false,"duration":3600}}"#
        let token = try DoveRunnerToken(
            .init(json: Array(policy.utf8)), for: .widevine, user: "test-user", content: "bigbuckbunny",
            site: Self.site, at: moment("2019-07-17T08:57:04Z"))
        #expect(token.hash == "0Zef3WHBbzQAR0oGf5KXn25G1TmvB2Bkvzv+7OqIWvQ=")
        let members = try FlatObject(scanning: Base64.decode(token.text) ?? [])
        #expect(
            members.names == ["drm_type", "site_id", "user_id", "cid", "policy", "timestamp", "hash"])
        #expect(members.string("drm_type").value == "Widevine" && members.string("cid").value == "bigbuckbunny")
        #expect(members.string("timestamp").value == "2019-07-17T08:57:04Z")
        #expect(members.string("hash").value == token.hash)
        #expect(try token.expiresAt == moment("2019-07-17T09:07:04Z"))
    }

    @Test func `a DoveRunner token with a playback window has the hash of the test vector`() throws {
        let now = try moment("2026-11-22T09:00:00Z")
        var terms = ContentTerms()
        terms.expiresAt = now.adding(seconds: 2_592_000)
        terms.windowAfterFirstPlay = 172_800
        let policy = DoveRunnerToken.Policy(terms, at: now)
        #expect(
            String(decoding: policy.json, as: UTF8.self)
                == #"{"policy_version":2,"playback_policy":{"persistent":true,"rental_duration":2592000,"playback_duration":172800}}"#
        )
        let token = try DoveRunnerToken(
            policy, for: .fairPlay, user: "learner-1", content: "mck-1", site: Self.site, at: now)
        #expect(token.hash == "6szTZohaZYvXjWhhqx5PuYmrVQLFJpT+CKbcKuhdPCs=")
    }

    @Test
    func `a DoveRunner token has its terms' end date and playback window, or lasts one second if no time is left`() {
        func policy(_ change: (inout ContentTerms) -> Void) -> String {
            var terms = ContentTerms()
            change(&terms)
            let json = String(decoding: DoveRunnerToken.Policy(terms, at: Self.now).json, as: UTF8.self)
            return json.replacing(#"{"policy_version":2,"playback_policy":{"persistent":true"#, with: "")
        }
        #expect(policy { _ in } == "}}")
        #expect(
            policy { $0.expiresAt = Timestamp(text: "2026-12-22T09:00:00Z") }
                == #","expire_date":"2026-12-22T09:00:00Z"}}"#)
        #expect(policy { $0.windowAfterFirstPlay = 60 } == #","playback_duration":60}}"#)
        #expect(
            policy {
                $0.windowAfterFirstPlay = 0; $0.expiresAt = Self.now
            }
                == #","rental_duration":1,"playback_duration":1}}"#)
    }

    @Test func `a DoveRunner token with an empty or too long user or content id, or a too short site key, is refused`()
    {
        func isMade(_ user: String, _ content: String) -> Bool {
            (try? DoveRunnerToken(
                .init(json: []), for: .ncg, user: user, content: content, site: Self.site, at: Self.now)) != nil
        }
        let (user, content) = (String(repeating: "u", count: 32), String(repeating: "c", count: 200))
        #expect(isMade(user, content))
        #expect(!isMade(user + "u", content) && !isMade(user, content + "c") && !isMade("", "c") && !isMade("u", ""))
        #expect(DoveRunnerToken.Site(id: "TUTO", siteKey: "short", accessKey: "x") == nil)
    }

    @Test func `an Axinom message has the bytes of the test vector`() throws {
        let key = try #require(
            AxinomMessage.Key(
                id: "aa0151d7-081c-4699-a049-fc584556c9d2", base64: "RPSdG/fViTkTjcuG3fcRXL2JDchGThWQ/tfSNHAoG+A="))
        let message = try #require(
            AxinomMessage(
                .init(isPersistent: true, duration: 172_800), keyIDs: ["7459975D-b2f8-48ed-a325-56e4f34d19c7"]))
        let parts = message.signed(key).split(separator: ".").map(String.init)
        #expect(
            String(decoding: Base64.decodeURL(parts[1]) ?? [], as: UTF8.self)
                == #"{"version":1,"com_key_id":"aa0151d7-081c-4699-a049-fc584556c9d2","message":{"type":"entitlement_message","#
                + #""version":2,"license":{"allow_persistence":true,"duration":172800},"content_keys_source":{"inline":"#
                + #"[{"id":"7459975d-b2f8-48ed-a325-56e4f34d19c7"}]}}}"#)
        #expect(parts[2] == "pCQGAtuPD5mv3FPhCL4QvY7-7P5SmkUjU6RZXQovRuk")
    }

    @Test func `an Axinom message contains the end date and the playback window of its terms`() throws {
        var terms = ContentTerms()
        terms.expiresAt = try moment("2026-12-22T09:00:00Z")
        terms.windowAfterFirstPlay = 172_800
        let license = AxinomMessage.License(terms)
        let json = String(
            decoding: JSONWriter.object { object in object.object("license") { license.write(into: &$0) } },
            as: UTF8.self)
        #expect(
            json == #"{"license":{"expiration_datetime":"2026-12-22T09:00:00+00:00","allow_persistence":true,"#
                + #""widevine":{"playback_duration":172800},"fairplay":{"playback_duration":172800},"#
                + #""playready":{"playback_duration":172800}}}"#)
        #expect(AxinomMessage(license, keyIDs: []) == nil && AxinomMessage(license, keyIDs: ["x"]) == nil)
        #expect(AxinomMessage.Key(id: "x", base64: "RPSdG/fViTkTjcuG3fcRXL2JDchGThWQ/tfSNHAoG+A=") == nil)
        #expect(AxinomMessage.Key(id: "aa0151d7-081c-4699-a049-fc584556c9d2", base64: "AAAA") == nil)
    }

    @Test func `the content terms that another vendor's license server can't express are listed`() {
        var terms = ContentTerms()
        #expect(ForeignTarget.allCases.allSatisfy { $0.notExpressed(terms, deviceLimit: nil).isEmpty })
        terms.notBefore = Self.now
        terms.expiresAt = Self.now
        terms.windowAfterFirstPlay = 5
        terms.plays = 3
        terms.playSeconds = 60
        terms.countAfterSeconds = 30
        terms.checkInBy = Self.now
        terms.onlineRequired = true
        terms.askBeforeRenew = true
        terms.graceSeconds = 60
        terms.whenOver = .grace
        #expect(
            ForeignTarget.kollus.notExpressed(terms, deviceLimit: 3)
                == ["notBefore", "windowAfterFirstPlay", "countAfterSeconds", "graceSeconds"])
        let others = [
            "notBefore", "plays", "playSeconds", "countAfterSeconds", "checkInBy", "onlineRequired", "askBeforeRenew",
            "graceSeconds", "deviceLimit",
        ]
        #expect(ForeignTarget.doverunner.notExpressed(terms, deviceLimit: 3) == others)
        terms.whenOver = .stop
        #expect(ForeignTarget.axinom.notExpressed(terms, deviceLimit: nil).suffix(2) == ["askBeforeRenew", "whenOver"])
    }
}
