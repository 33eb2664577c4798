import Testing

@testable import TenureServerKit

@Suite struct CredentialTextTests {
    private static let digits = String(repeating: "A", count: 43)
    private static let short = String(repeating: "A", count: 42)

    @Test func `a generated credential is its type's prefix followed by 256 bits in base64url`() {
        for prefix in ["", "tenure_", "tenure_ht_"] {
            #expect(CredentialText.isWellFormed(CredentialText.random(prefix: prefix).text, prefix: prefix))
        }
    }

    @Test(arguments: [
        "", "tenure_", "\(digits)", "tenure_\(short)", "tenure_\(digits)A", "tenure_\(digits)=", "tenure_\(short)+",
        "tenure_\(short)é", "TENURE_\(digits)", "tenure_\u{301}\(digits)", "tenure_ht_\(digits)", "tenure_\(short)B",
    ])
    func `a credential is refused if it isn't the expected prefix followed by 256 bits in base64url`(_ text: String) {
        #expect(!CredentialText.isWellFormed(text, prefix: "tenure_"))
    }
}
