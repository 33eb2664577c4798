import GoldenFiles
import TenureContent
import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenurePackages
import TenureServerKit
import TenureStore
import Testing

@testable import TenureContentServer

/// The codes in the database's columns. Most are names of enum cases.
@Suite struct StoredCodesTests {
    private static func lines<Code: StorableCode & CaseIterable>(_ column: String, _ type: Code.Type) -> [String] {
        Code.allCases.map { "\(column) \($0.rawValue)" }
    }

    @Test func `the codes that the database's columns store equal those in stored-codes.txt`() throws {
        let devices: [Enrolment.Device.Code] = [.active, .recent, .ended, .inactive]
        let shared =
            Self.lines("signing-key.standing", SigningKeyRecord.Status.self) + Self.lines("job.state", Job.State.self)
            + [Language.english, .korean].map { "tenant.language \($0.rawValue)" }
        let licensing =
            Self.lines("credential.kind", LicenseCredential.Kind.self)
            + Self.lines("activation.releaser", Activation.Releaser.self)
            + Self.lines("license.state", License.State.self)
        let packages =
            Self.lines("import.state", PackageImport.State.self) + Self.lines("notice.outcome", Notice.Outcome.self)
        let marketplace =
            Self.lines("asset.kind", AppAsset.Kind.self) + Self.lines("marketplace.access", Marketplace.Access.self)
            + Self.lines("account-credential.kind", AccountCredential.Kind.self)
            + Self.lines("marketplace-key.purpose", MarketplaceKeyRecord.Purpose.self)
            + Self.lines("marketplace-key.origin", MarketplaceKeyRecord.Origin.self)
            + Self.lines("sign-in.means", SignIn.Means.self) + Self.lines("sign-in.stage", SignIn.Stage.self)
            + Self.lines("marketplace-secret.kind", MarketplaceSecretRow.Kind.self)
        let content =
            devices.map { "enrolment-device.state \($0.rawValue)" }
            + Self.lines("holder-credential.kind", HolderCredential.Kind.self)
            + Self.lines("enrolment.state", Enrolment.State.self)
            + Self.lines("content-license.state", ContentLicense.State.self)
            + Self.lines("content-terms.basis", ContentTerms.Basis.self)
            + Self.lines("content-terms.when-over", ContentTerms.WhenOver.self)
            + Self.lines("content-terms.ledger", ContentTerms.Ledger.self)
            + Self.lines("content-catalog.access", ContentCatalog.Access.self)
        try GoldenFile("server/stored-codes.txt").compare(
            lines: shared + licensing + packages + marketplace + content)
    }

    @Test func `the stored codes of languages equal those in stored-languages.txt and stored-languages-added.txt`()
        throws
    {
        let lines = Self.lines("tenant.language", Language.self)
        try GoldenFile("server/stored-languages.txt").compare(lines: Array(lines.prefix(4)))
        try GoldenFile("server/stored-languages-added.txt").compare(lines: Array(lines.dropFirst(4)))
    }
}
