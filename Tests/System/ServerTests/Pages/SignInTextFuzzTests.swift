import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// Randomly damaged input from untrusted callers: it is parsed correctly or rejected.
@Suite struct SignInTextFuzzTests {
    private static let tenant = TenantID("mart")!

    @Test func `a damaged sign-in code or token is refused or doesn't match the digest of the original`() throws {
        var dice = Dice(seed: 13)
        for round in 0..<20_000 {
            let kind = try #require(SignInText.Kind.allCases.randomElement(using: &dice))
            let whole = SignInText.random(kind, of: .random())
            #expect(SignInText(whole.text) == whole)
            let damaged = dice.damage(whole.text)
            guard let read = SignInText(damaged) else { continue }
            #expect(read.text.hasPrefix(read.kind.rawValue) && read.text.utf8.count == whole.text.utf8.count)
            if damaged != whole.text { #expect(!read.fits(whole.digest), "round \(round)") }
        }
    }

    @Test
    func `the number in a refresh token is rejected under another key, in an access token and after damage`()
        throws
    {
        var dice = Dice(seed: 7)
        let key = SecureRandom.bytes(32)
        for number in [0, 1, 255, 256, Int64.max] {
            let origin = SignInText.Origin.random()
            let whole = SignInText(refresh: number, of: origin, .init(), under: key)
            #expect(SignInText(whole.text)?.number == number && whole.provesNumber(under: key))
            #expect(!whole.provesNumber(under: SecureRandom.bytes(32)))
            // The authentication code doesn't cover the kind, so an access token with the same bytes must not prove the
            // number.
            let access = SignInText.Kind.access.rawValue + whole.text.dropFirst(SignInText.Kind.refresh.rawValue.count)
            #expect(SignInText(access)?.provesNumber(under: key) == false)
            for _ in 0..<2_000 {
                guard let read = SignInText(dice.damage(whole.text)), read.text != whole.text else { continue }
                #expect(!read.provesNumber(under: key))
            }
        }
    }

    @Test func `a damaged encrypted sign-in, or one of another tenant, is refused`() throws {
        var dice = Dice(seed: 3)
        let cipher = try AES256GCM(key: SecureRandom.bytes(32))
        let origin = SignInText.Origin.random()
        let binding = SignIn.Binding(
            client: .sha256(of: Array("client".utf8)), challenge: .sha256(of: [1]), redirect: "com.example:/in")
        let purposes: [PendingSignIn.Purpose] = [
            .app(binding, state: "a state"), .app(binding, state: nil), .page(.none),
        ]
        for purpose in purposes {
            let pending = PendingSignIn(
                origin: origin, browser: .sha256(of: [2]), until: Timestamp(seconds: 1_800_000_000), purpose: purpose)
            let text = try pending.sealed(for: Self.tenant, under: cipher)
            #expect(PendingSignIn(sealed: text, for: Self.tenant, under: cipher) == pending)
            #expect(PendingSignIn(sealed: text, for: TenantID("other")!, under: cipher) == nil)
            for _ in 0..<5_000 {
                let damaged = dice.damage(text)
                guard Base64.decodeURL(damaged) != Base64.decodeURL(text) else { continue }
                #expect(PendingSignIn(sealed: damaged, for: Self.tenant, under: cipher) == nil)
            }
        }
    }

    /// The sealed content was written by a server, but possibly by one with another version.
    @Test func `reading the damaged content of an encrypted sign-in doesn't crash`() throws {
        var dice = Dice(seed: 5)
        let cipher = try AES256GCM(key: SecureRandom.bytes(32))
        let pending = PendingSignIn(
            origin: .random(), browser: .sha256(of: [2]), until: Timestamp(seconds: .max), purpose: .page(.none))
        let opened = try cipher.open(
            try #require(Base64.decodeURL(try pending.sealed(for: Self.tenant, under: cipher))),
            authenticating: Array("tenure sign-in|\(Self.tenant)".utf8))
        for _ in 0..<10_000 {
            let damaged = dice.damage(String(decoding: opened, as: UTF8.self))
            let sealed = Base64.encodeURL(
                try cipher.seal(Array(damaged.utf8), authenticating: Array("tenure sign-in|\(Self.tenant)".utf8)))
            _ = PendingSignIn(sealed: sealed, for: Self.tenant, under: cipher)
        }
    }
}

extension Dice {
    /// Makes one to four changes: a byte is replaced, removed or inserted, or a piece is repeated.
    fileprivate mutating func damage(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let index = Int.random(in: 0...max(bytes.count - 1, 0), using: &self)
            let letter = UInt8.random(in: 0x20...0x7E, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0 where !bytes.isEmpty: bytes[index] = letter
            case 1 where !bytes.isEmpty: bytes.remove(at: index)
            case 2: bytes.insert(letter, at: min(index, bytes.count))
            default: bytes += bytes.prefix(index)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
