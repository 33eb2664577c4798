import Testing

@testable import TenureServerKit

@Suite struct CredentialTextTests {
    private static let digits = String(repeating: "A", count: 43)
    private static let short = String(repeating: "A", count: 42)

    @Test func `a generated credential's text is well-formed`() {
        for prefix in ["", "tenure_", "tenure_ht_"] {
            #expect(CredentialText.isWellFormed(CredentialText.random(prefix: prefix).text, prefix: prefix))
        }
    }

    @Test(arguments: [
        "", "tenure_", "\(digits)", "tenure_\(short)", "tenure_\(digits)A", "tenure_\(digits)=", "tenure_\(short)+",
        "tenure_\(short)é", "TENURE_\(digits)", "tenure_\u{301}\(digits)", "tenure_ht_\(digits)", "tenure_\(short)B",
    ])
    func `a text that isn't its prefix followed by 256 bits in base64url is refused as a credential`(_ text: String) {
        #expect(!CredentialText.isWellFormed(text, prefix: "tenure_"))
    }
}
